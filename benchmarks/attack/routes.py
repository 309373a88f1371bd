"""Every route of the pages, read from their routers: an application does not list the routes that it includes."""

from starlette.routing import Route

from ragstone.dashboard import assets
from ragstone.dashboard.app import pages
from ragstone.dashboard.routes import feedback
from ragstone.dashboard.security import login

_LEAST = 70


def every_route() -> set[tuple[str, str]]:
    """Return method and path of each route, with its parameters in braces."""
    routers = [("", router) for router in (*pages(), login.router, assets.router)]
    routers.append(("/api", feedback.incoming))
    found = {
        (method, prefix + route.path)
        for prefix, router in routers
        for route in router.routes
        if isinstance(route, Route)
        for method in route.methods or ()
    }
    if len(found) < _LEAST:
        raise AssertionError(f"the routers list {len(found)} routes: they list them in another way now")
    return found | {("GET", "/api/openapi.json")}
