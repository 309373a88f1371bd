"""The application: every page's routes behind one guard. Nothing of it is global; two may live in one process."""

from importlib import import_module

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from ragstone import __version__
from ragstone.dashboard import _assets, login
from ragstone.dashboard._board import Board
from ragstone.dashboard._guard import Guard, Pass
from ragstone.dashboard._views import view
from ragstone.errors import UsageError

PAGES = ("runs",)
"""The pages, each a file of this folder with a `router`."""

_UNKNOWN = 404


def create_app(board: Board, door: Pass | None = None) -> FastAPI:
    """Return the application.

    Args:
        board: what it shows.
        door: who may enter; None: everybody on this machine, and nobody from elsewhere.
    """
    app = FastAPI(
        title="ragstone",
        version=__version__,
        summary="Runs, results, people's verdicts: all that the pages show, for scripts.",
        docs_url=None,  # FastAPI's own pages load scripts from another host
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.board = board
    app.state.door = door or Pass()
    for page in PAGES:
        app.include_router(import_module(f"ragstone.dashboard.{page}").router)
    app.include_router(login.router)
    app.include_router(_assets.router)
    app.add_exception_handler(HTTPException, _wrong)
    app.add_exception_handler(UsageError, _unusable)
    app.add_middleware(Guard, door=app.state.door)
    return app


def _wrong(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _answer(request, status, str(getattr(error, "detail", error)))


def _unusable(request: Request, error: Exception) -> Response:
    """Answer what cannot run, or names what is not there."""
    return _answer(request, _UNKNOWN if "There is no run" in str(error) else 400, str(error))


def _answer(request: Request, status: int, why: str) -> Response:
    """Say what is wrong: to scripts as JSON, to people as a page."""
    if request.url.path.startswith("/api"):
        return JSONResponse({"detail": why}, status)
    return view(request, "wrong.html", status, why=why, status=status)
