"""Every route of the pages, read from their routers: an application does not list the routes that it includes."""

from starlette.routing import Route

from ragstone.dashboard import assets
from ragstone.dashboard.app import pages
from ragstone.dashboard.routes import feedback
from ragstone.dashboard.security import login


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
    assert len(found) > 70, "the routers no longer list their routes"
    return found | {("GET", "/api/openapi.json")}
