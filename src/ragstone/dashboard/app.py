"""The FastAPI application: every page's routes behind the authentication middleware. Nothing is global."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from ragstone import __version__
from ragstone.dashboard import assets
from ragstone.dashboard.context import AppContext
from ragstone.dashboard.rendering import view
from ragstone.dashboard.security import login
from ragstone.dashboard.security.auth import AuthMiddleware
from ragstone.dashboard.security.credentials import Credentials
from ragstone.dashboard.services.comparison_jobs import Comparisons
from ragstone.dashboard.services.figures_cache import FiguresCache
from ragstone.dashboard.services.run_feed import RunFeed
from ragstone.dashboard.services.run_manager import RunManager
from ragstone.errors import NotInStore, UsageError
from ragstone.reports.printable import printable

_UNKNOWN, _MISSHAPEN = 404, 422


class ErrorResponse(BaseModel):
    """What is wrong with a request."""

    detail: str


def create_app(ctx: AppContext, credentials: Credentials | None = None) -> FastAPI:
    """Return the application.

    Args:
        ctx: what it shows.
        credentials: who has access; None: every user of this machine, and no other machine.
    """
    app = FastAPI(
        title="ragstone",
        version=__version__,
        summary="Runs, results, people's verdicts: all that the pages show, for scripts.",
        docs_url=None,  # FastAPI's own pages load scripts from another host
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses={422: {"model": ErrorResponse, "description": "a field is missing or makes no sense"}},
    )
    app.state.ctx = ctx
    app.state.credentials = credentials or Credentials()
    app.state.run_manager = RunManager(ctx.address)
    app.state.comparisons = Comparisons(ctx.store)
    app.state.figures_cache = FiguresCache(ctx.store)
    app.state.run_feed = RunFeed(ctx.store, app.state.figures_cache)
    for page in pages():
        app.include_router(page)
    app.include_router(login.router)
    app.include_router(assets.router)
    app.add_exception_handler(HTTPException, _wrong)
    app.add_exception_handler(UsageError, _unusable)
    app.add_exception_handler(RequestValidationError, _misshapen)
    app.add_middleware(AuthMiddleware, credentials=app.state.credentials)
    return app


def pages() -> Iterator[APIRouter]:
    """Yield the routes of every page: each module of `routes/` has a `router`."""
    for found in iter_modules([str(Path(__file__).parent / "routes")]):
        if not found.name.startswith("_"):
            yield import_module(f"ragstone.dashboard.routes.{found.name}").router


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
