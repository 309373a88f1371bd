"""The FastAPI application: every page's routes behind the authentication middleware. Nothing is global."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from fastapi import APIRouter, FastAPI
from prometheus_client import Gauge

from ragstone import __version__
from ragstone.dashboard import assets
from ragstone.dashboard.context import AppContext
from ragstone.dashboard.monitoring import RequestFigures, monitoring_routes, new_registry
from ragstone.dashboard.rendering import ErrorResponse, add_error_answers
from ragstone.dashboard.routes import feedback
from ragstone.dashboard.security import login
from ragstone.dashboard.security.access import Access
from ragstone.dashboard.security.auth import AuthMiddleware
from ragstone.dashboard.security.credentials import Credentials


def create_app(ctx: AppContext, credentials: Credentials | None = None) -> FastAPI:
    """Return the application.

    Args:
        ctx: the store and the settings that it shows.
        credentials: what requests must present; None: every user of this machine has access, and no other machine.
    """
    app = FastAPI(
        title="ragstone",
        version=__version__,
        summary="The data of the pages for scripts: runs, results, people's verdicts.",
        docs_url=None,  # FastAPI's own pages load scripts from another host
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses={422: {"model": ErrorResponse, "description": "a field is missing or invalid"}},
    )
    app.state.ctx = ctx
    app.state.credentials = credentials or Credentials()
    app.state.feedback = ctx.feedback
    for page in pages():
        app.include_router(page)
    app.include_router(feedback.incoming, prefix="/api")
    app.include_router(login.router)
    app.include_router(assets.router)
    add_error_answers(app)
    registry = new_registry(ctx.store.traces)
    running = Gauge("ragstone_evaluations_running", "Runs that were started here.", registry=registry)
    running.set_function(ctx.run_manager.count)
    routes = monitoring_routes(ctx.store.traces, registry)
    app.router.routes.extend(routes)
    access = Access.to(app.state.credentials, ctx.store.tokens, ctx.store.audit_log)
    app.add_middleware(AuthMiddleware, access=access)
    # The outermost: requests that are refused are counted too.
    app.add_middleware(RequestFigures, registry=registry, paths=[route.path for route in routes])
    return app


def pages() -> Iterator[APIRouter]:
    """Yield the routes of every page: each module of `routes/` has a `router`."""
    for module in iter_modules([str(Path(__file__).parent / "routes")]):
        if not module.name.startswith("_"):
            yield import_module(f"ragstone.dashboard.routes.{module.name}").router
