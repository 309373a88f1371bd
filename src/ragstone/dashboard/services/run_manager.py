"""Runs started from the page, each in a thread with its own event loop, so that requests never wait for one.

Their results are read from the store like those of any other run. When the server ends they are stopped, and can be
resumed.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from threading import Lock, Thread, current_thread
from time import monotonic, sleep
from typing import Any

from ragstone.api import aevaluate
from ragstone.errors import UsageError
from ragstone.event import AnsweringStarted, Event, RunStarted

MAX_RUNS = 8  # active at the same time
_STOP_TIMEOUT_SECONDS = 10.0
_POLL_SECONDS = 0.02


class Busy(UsageError):  # noqa: N818  (reads as what happened)
    """A run cannot start now: too many are active, it is active already, or the server stops."""


class RunManager:
    """The active runs of this server. It may be used from any thread."""

    def __init__(self, address: bool | str | Path | None) -> None:  # noqa: FBT001  (as users write it)
        """Keep runs in the store at `address`; None, as for `open_store`: the file in the user's data folder."""
        self._address = True if address is None else address
        self._lock = Lock()
        self._cancels: dict[str, Callable[[], object]] = {}
        self._threads: set[Thread] = set()
        self._resumed: set[str | None] = set()

    def start(self, data: object, **arguments: Any) -> str:  # noqa: ANN401  (those of `evaluate`)
        """Start a run with the arguments of `evaluate`, and return its id once it has begun.

        Raises:
            Busy: too many runs are active, this one is active already, or the server stops.
            UsageError: the run cannot start.
        """
        started: Future[str] = Future()
        resumed = arguments.get("resume")
        with self._lock:
            if resumed is not None and (resumed in self._resumed or resumed in self._cancels):
                raise Busy(f"The run {resumed} is already running in this server.")
            if len(self._threads) >= MAX_RUNS:
                raise Busy(
                    f"{MAX_RUNS} runs are already running in this server: stop one, or wait until one has finished."
                )
            thread = Thread(
                target=self._run_in_thread, args=(started, data, arguments), name="ragstone-run", daemon=True
            )
            self._threads.add(thread)
            if resumed is not None:
                self._resumed.add(resumed)
        thread.start()
        return started.result()

    def is_running(self, run: str) -> bool:
        """Return whether a run was started here and is active."""
        return run in self._cancels

    def count(self) -> int:
        """Return how many runs are active."""
        return len(self._cancels)

    def stop(self, run: str) -> bool:
        """Stop a run, and wait for ten seconds at most until it has stored its results.

        Return whether it was active here. Answers that it has received are kept.
        """
        with self._lock:
            stop = self._cancels.get(run)
            if stop is not None:
                stop()
        deadline = monotonic() + _STOP_TIMEOUT_SECONDS
        while self.is_running(run) and monotonic() < deadline:
            sleep(_POLL_SECONDS)
        return stop is not None

    def close(self) -> None:
        """Stop every run, and wait until each has stored its results."""
        with self._lock:
            threads = [*self._threads]
            for stop in self._cancels.values():
                stop()
        for thread in threads:
            thread.join(_STOP_TIMEOUT_SECONDS)

    def _run_in_thread(self, started: Future[str], data: object, arguments: dict[str, Any]) -> None:
        try:
            asyncio.run(self._run(started, data, arguments))
        except BaseException as error:  # noqa: BLE001  (passed to those who wait for the run)
            if not started.done():
                stopped = isinstance(error, asyncio.CancelledError)
                started.set_exception(
                    Busy("The server is stopping: start the run again later.") if stopped else error
                )
        finally:
            with self._lock:
                self._threads.discard(current_thread())
                self._resumed.discard(arguments.get("resume"))

    async def _run(self, started: Future[str], data: object, arguments: dict[str, Any]) -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        run = ""

        def on_event(event: Event) -> None:
            nonlocal run
            if isinstance(event, AnsweringStarted | RunStarted) and task is not None and not run:
                run = event.run.id
                with self._lock:
                    self._cancels[run] = lambda cancel=task.cancel: loop.call_soon_threadsafe(cancel)
                started.set_result(run)

        try:
            options: dict[str, Any] = {"store": self._address, "progress": False, "listeners": (on_event,)}
            await aevaluate(data, **{**arguments, **options})
        finally:
            with self._lock:
                self._cancels.pop(run, None)
