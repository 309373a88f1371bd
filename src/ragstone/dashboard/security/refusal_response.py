"""The response to a refused request, and the line in the log."""

import logging

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import Scope

from ragstone.dashboard.security.login import alert, bare_page
from ragstone.dashboard.security.refused import Refused
from ragstone.findings.printable import one_line

_LOG = logging.getLogger("ragstone.access")
_MAX_LOGGED = 300


def refusal_response(scope: Scope, headers: Headers, refused: Refused) -> Response:
    """Return the response to a refused request, and log it: a page for people, JSON for scripts."""
    log_refusal(scope, refused)
    if "text/html" in headers.get("accept", ""):
        return bare_page(f'{alert(one_line(str(refused)))}<p><a href="/">All runs</a></p>', refused.status)
    return JSONResponse({"detail": str(refused)}, refused.status)


def log_refusal(scope: Scope, refused: Refused) -> None:
    """Write a line to the log: the request, where it came from, and why it was refused."""
    _LOG.warning(
        "refused %s from %s: %s",
        one_line(f"{scope['method']} {scope['path']}", _MAX_LOGGED),
        client_address(scope) or "?",
        one_line(f"{refused} {refused.cause}", _MAX_LOGGED),
    )


def client_address(scope: Scope) -> str:
    """Return the IP address that a request came from; empty for a Unix socket."""
    client = scope.get("client")
    return str(client[0]) if client else ""
