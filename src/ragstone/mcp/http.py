"""The MCP server over streamable HTTP, behind the token and the origin rules of the web page."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from mcp.server.transport_security import TransportSecuritySettings

from ragstone.config import Settings
from ragstone.dashboard.security.access import Access
from ragstone.dashboard.security.auth import AuthMiddleware
from ragstone.dashboard.security.credentials import Credentials
from ragstone.dashboard.server import Ready, server_of
from ragstone.mcp.server import create_server, running
from ragstone.store import Store

PATH = "/mcp"  # path of the endpoint


def serve_http(
    settings: Settings,
    location: bool | str | Path | None,  # noqa: FBT001  (as users write it)
    credentials: Credentials,
    *,
    host: str,
    port: int,
    store: Callable[[], Store],
    write: bool = False,
    ready: Ready | None = None,
    **options: Any,  # noqa: ANN401  (those of `create_server`)
) -> None:
    """Serve clients over HTTP until interrupted.

    Runs are written to the store at `location`; `store` opens it for the tokens of requests. With `write` runs may be
    started, which only owners may do. `ready` is called with the port once clients can connect.
    """
    store = cache(store)
    with running(location) as run_manager:
        app = create_server(settings, run_manager, store=store, write=write, **options).streamable_http_app(
            streamable_http_path=PATH,
            # `AuthMiddleware` checks hosts and origins.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        access = Access(
            credentials,
            lambda secret: store().tokens.find(secret),  # noqa: PLW0108  (opens the store on first use)
            lambda *entries: store().audit_log.add(*entries),  # noqa: PLW0108  (likewise)
        )
        action = "use_mcp_write" if write else "use_mcp"
        guarded = AuthMiddleware(app, access=access, action_of=lambda _method, _path: action)
        server_of(guarded, run_manager=run_manager, host=host, port=port, ready=ready).run()
