"""The server: uvicorn that ends open streams and background runs before connections, so that Ctrl-C does not wait."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from ragstone.config import Settings
from ragstone.dashboard.app import create_app
from ragstone.dashboard.context import AppContext
from ragstone.dashboard.security.connections import server_config
from ragstone.dashboard.security.credentials import Credentials, credentials_for
from ragstone.dashboard.services.run_feed import RunFeed
from ragstone.dashboard.services.run_manager import RunManager
from ragstone.store import open_store
from ragstone.traces.redaction import Redaction

Ready = Callable[[int], None]
_SHUTDOWN_SECONDS = 3  # that open requests get when the server is stopped


class Server(uvicorn.Server):
    """A server that ends streams and runs before connections: neither would end by itself."""

    def __init__(
        self,
        config: uvicorn.Config,
        *,
        run_manager: RunManager,
        run_feed: RunFeed | None,
        ready: Ready | None,
    ) -> None:
        """Serve by `config`; call `ready` with the port once it listens; at the end close the feed and the runs."""
        super().__init__(config)
        self._run_feed = run_feed
        self._run_manager = run_manager
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then call `ready` with the port."""
        await super().startup(sockets)
        if self._ready is not None and self.started:
            self._ready(self.servers[0].sockets[0].getsockname()[1])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams, runs and connections, in this order."""
        if self._run_feed is not None:
            self._run_feed.close()
        await asyncio.to_thread(self._run_manager.close)
        await super().shutdown(sockets)


def server_on(
    ctx: AppContext, credentials: Credentials, *, host: str, port: int, ready: Ready | None = None
) -> Server:
    """Return a server of the pages that is not started yet."""
    app = create_app(ctx, credentials)
    return server_of(
        app, run_manager=ctx.run_manager, run_feed=ctx.run_feed, host=host, port=port, ready=ready
    )


def server_of(
    app: ASGIApp,
    *,
    run_manager: RunManager,
    host: str,
    port: int,
    run_feed: RunFeed | None = None,
    ready: Ready | None = None,
) -> Server:
    """Return a server of an application that is not started yet; at its end it stops the runs that were started."""
    config = server_config(app, host, port, log_level="warning", seconds=_SHUTDOWN_SECONDS)
    return Server(config, run_manager=run_manager, run_feed=run_feed, ready=ready)


def serve(
    store: bool | str | Path | None = None,  # noqa: FBT001  (as users write it)
    *,
    host: str = "127.0.0.1",
    port: int = 8600,
    settings: Settings | None = None,
    credentials: Credentials | None = None,
    ready: Ready | None = None,
    draft: Path | None = None,
    redaction: Redaction = Redaction(),  # noqa: B008  (frozen)
    test_set: Path | None = None,
) -> None:
    """Serve the page on a store, until interrupted.

    Args:
        store: the runs: a file, a URL, or None for the file in the user's data folder.
        host: address to listen on; any address but loopback requires a token.
        port: port to listen on.
        settings: judges by name, presets and thresholds.
        credentials: what requests must present; `credentials_for(host)` if None.
        ready: called with the port once the page can be opened.
        draft: a drafted test set to review.
        redaction: the replacements in texts of users before they are stored.
        test_set: the file to which questions are added from the pages; None: one in the user's data folder.

    Raises:
        UsageError: `store` is not a store.
    """
    ctx = AppContext(
        open_store(store), settings or Settings(), address=store, draft=draft, redaction=redaction
    )
    ctx.test_set = test_set or ctx.test_set
    server = server_on(ctx, credentials or credentials_for(host), host=host, port=port, ready=ready)
    with suppress(KeyboardInterrupt):  # uvicorn has ended by then, and raises it again
        server.run()
