"""An aiohttp application on a port of loopback, a free one unless it is named, in a thread with its own loop."""

import asyncio
import threading
from collections.abc import Callable
from typing import Self

from aiohttp import web

_SECONDS = 60.0


class ThreadedServer:
    """Serves while it is entered; sync and async callers alike talk to it over TCP."""

    def __init__(self, app: Callable[[], web.Application], name: str, port: int = 0) -> None:
        self._app, self._name, self.port = app, name, port
        self._started = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.stopping = asyncio.Event()

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._started.wait(_SECONDS):
            raise TimeoutError(f"the {self._name} did not start within {_SECONDS:g} s")
        if self._failure is not None:
            raise self._failure
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self.stopping.set)
        self._thread.join(_SECONDS)
        if self._thread.is_alive():
            raise TimeoutError(f"the {self._name} did not stop within {_SECONDS:g} s")

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001 - handed to the thread that starts the server
            self._failure = error
        finally:
            self._started.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        runner = web.AppRunner(self._app(), access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", self.port).start()
            self.port = runner.addresses[0][1]
            self._started.set()
            await self.stopping.wait()
        finally:
            await runner.cleanup()
