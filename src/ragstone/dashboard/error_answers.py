"""Error responses of an application: JSON for scripts, a page for people."""

from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from ragstone.dashboard.rendering import view
from ragstone.errors import NotInStore, UsageError
from ragstone.reports.printable import printable

_UNKNOWN, _MISSHAPEN = 404, 422


class ErrorResponse(BaseModel):
    """The error of a request."""

    detail: str


def add_error_answers(app: FastAPI) -> None:
    """Register the handlers of HTTP errors, usage errors and validation errors with an application."""
    app.add_exception_handler(HTTPException, _wrong)
    app.add_exception_handler(UsageError, _unusable)
    app.add_exception_handler(RequestValidationError, _misshapen)


def _wrong(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _answer(request, status, str(getattr(error, "detail", error)))


def _unusable(request: Request, error: Exception) -> Response:
    """Respond to a usage error: 404 if something is not in the store, otherwise 400."""
    return _answer(request, _UNKNOWN if isinstance(error, NotInStore) else 400, str(error))


def _misshapen(request: Request, error: Exception) -> Response:
    """Name the invalid field but never its value: some values cannot be written as JSON."""
    found: Sequence[Any] = error.errors() if isinstance(error, RequestValidationError) else ()
    messages = [f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in found]
    return _answer(request, _MISSHAPEN, "; ".join(messages))


def _answer(request: Request, status: int, why: str) -> Response:
    """Return an error response: JSON under `/api`, otherwise a page."""
    if request.url.path.startswith("/api"):
        return JSONResponse({"detail": printable(why)}, status)
    return view(request, "wrong.html", status, why=why, status=status)
