"""Serves the application until it is told to stop. Then open streams end by themselves: Ctrl-C waits for nobody."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from secrets import token_urlsafe

import uvicorn

from ragstone.config import Settings
from ragstone.dashboard._app import create_app
from ragstone.dashboard._bench import Bench
from ragstone.dashboard._board import Board
from ragstone.dashboard._guard import Pass
from ragstone.dashboard._live import Live
from ragstone.store import open_store

Ready = Callable[[int], None]
_PATIENCE = 3
"""Seconds for what is being answered when the server is told to stop."""


class Server(uvicorn.Server):
    """A server that ends streams and runs before connections: neither would end by itself."""

    def __init__(
        self, config: uvicorn.Config, *, live: Live, bench: Bench, ready: Ready | None = None
    ) -> None:
        """Serve by `config`; call `ready` with the port once that goes, and at the end close `live` and `bench`."""
        super().__init__(config)
        self._live = live
        self._bench = bench
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        await super().startup(sockets)
        if self._ready is not None and self.started:
            self._ready(self.servers[0].sockets[0].getsockname()[1])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams, runs, connections."""
        self._live.close()
        await asyncio.to_thread(self._bench.close)
        await super().shutdown(sockets)


def door_for(host: str, token: str | None = None) -> Pass:
    """Return who may enter at an address: on loopback everybody on this machine, elsewhere who knows the token."""
    return Pass() if _is_loopback(host) and token is None else Pass(token or token_urlsafe(24))


def server_on(board: Board, door: Pass, *, host: str, port: int, ready: Ready | None = None) -> Server:
    """Return a server of the pages that is not started yet."""
    app = create_app(board, door)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=_PATIENCE,
    )
    return Server(config, live=app.state.live, bench=app.state.bench, ready=ready)


def serve(
    store: bool | str | Path | None = None,  # noqa: FBT001  (as users write it)
    *,
    host: str = "127.0.0.1",
    port: int = 8600,
    settings: Settings | None = None,
    door: Pass | None = None,
    ready: Ready | None = None,
) -> None:
    """Serve the page on a store, until interrupted.

    Args:
        store: the runs: a file, a URL, or None for the file in the user's data folder.
        host: address to listen on; any but loopback demands a token.
        port: port to listen on.
        settings: judges by name, presets and thresholds.
        door: who may enter; as `door_for(host)` where None.
        ready: called with the port once the page can be opened.

    Raises:
        UsageError: it is no store.
    """
    board = Board(open_store(store), settings or Settings(), address=store)
    server = server_on(board, door or door_for(host), host=host, port=port, ready=ready)
    with suppress(KeyboardInterrupt):  # uvicorn has ended by then, and raises it again
        server.run()


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
