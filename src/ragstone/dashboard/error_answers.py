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
from ragstone.findings.printable import printable


class ErrorResponse(BaseModel):
    """The error of a request."""

    detail: str


def add_error_answers(app: FastAPI) -> None:
    """Register the handlers of HTTP errors, usage errors and validation errors with an application."""
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(UsageError, _usage_error)
    app.add_exception_handler(RequestValidationError, _validation_error)


def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _error_response(request, status, str(getattr(error, "detail", error)))


def _usage_error(request: Request, error: Exception) -> Response:
    """Respond to a usage error: 404 if something is not in the store, otherwise 400."""
    return _error_response(request, 404 if isinstance(error, NotInStore) else 400, str(error))


def _validation_error(request: Request, error: Exception) -> Response:
    """Name the invalid field but never its value: some values cannot be written as JSON."""
    problems: Sequence[Any] = error.errors() if isinstance(error, RequestValidationError) else ()
    messages = [f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in problems]
    return _error_response(request, 422, "; ".join(messages))


def _error_response(request: Request, status: int, message: str) -> Response:
    """Return an error response: JSON under `/api`, otherwise a page."""
    if request.url.path.startswith("/api"):
        return JSONResponse({"detail": printable(message)}, status)
    return view(request, "wrong.html", status, why=message, status=status)
