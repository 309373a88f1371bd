"""What an application answers where something is wrong: to scripts as JSON, to people as a page."""

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
    """What is wrong with a request."""

    detail: str


def add_error_answers(app: FastAPI) -> None:
    """Let an application say what is wrong: a status, what cannot run or is not there, a field that makes no sense."""
    app.add_exception_handler(HTTPException, _wrong)
    app.add_exception_handler(UsageError, _unusable)
    app.add_exception_handler(RequestValidationError, _misshapen)


def _wrong(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _answer(request, status, str(getattr(error, "detail", error)))


def _unusable(request: Request, error: Exception) -> Response:
    """Answer what cannot run, or names what is not there."""
    return _answer(request, _UNKNOWN if isinstance(error, NotInStore) else 400, str(error))


def _misshapen(request: Request, error: Exception) -> Response:
    """Say which field is wrong, and never what stood in it: not even JSON can hold all of that."""
    found: Sequence[Any] = error.errors() if isinstance(error, RequestValidationError) else ()
    messages = [f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}" for problem in found]
    return _answer(request, _MISSHAPEN, "; ".join(messages))


def _answer(request: Request, status: int, why: str) -> Response:
    """Say what is wrong: to scripts as JSON, to people as a page."""
    if request.url.path.startswith("/api"):
        return JSONResponse({"detail": printable(why)}, status)
    return view(request, "wrong.html", status, why=why, status=status)
