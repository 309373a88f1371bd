"""Where a guard measures long test cases: in processes that can be ended.

The embedded judge works on a long text for seconds, and a thread cannot be ended. So long test cases have an event loop
and worker processes of their own: when the budget of one is spent, its process is ended. Short ones never wait for
them.
"""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from contextvars import Context, copy_context
from threading import Event, Lock, Thread
from typing import Any, TypeVar

from ragstone.case import TestCase
from ragstone.judges.local.workers.pool import open_replaceable_workers

T = TypeVar("T")
LONG_CHARACTERS = 20_000
"""Texts of a test case that are longer together make it long; the judge reads this much in a tenth of a second."""


def is_long(case: TestCase) -> bool:
    """Return whether a test case is long."""
    return len(repr(case.model_dump(exclude_defaults=True))) > LONG_CHARACTERS


class LongCaseLoop:
    """An event loop in a thread of its own, with worker processes; it begins with the first measurement."""

    def __init__(self, workers: int) -> None:
        """Use up to `workers` processes."""
        self._workers = workers
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._context = Context()
        self._closing: asyncio.Event | None = None
        self._ready = Event()

    def submit(self, measure: Callable[[], Coroutine[Any, Any, T]]) -> Future[T]:
        """Begin a measurement at once; cancelling the future ends it, and the process that works on it."""
        loop = self._running_loop()

        async def measure_with_workers() -> T:
            return await loop.create_task(measure(), context=self._context.copy())

        return asyncio.run_coroutine_threadsafe(measure_with_workers(), loop)

    def close(self) -> None:
        """End everything."""
        loop, closing = self._loop, self._closing
        if loop is not None and closing is not None:
            with suppress(RuntimeError):  # it has ended
                loop.call_soon_threadsafe(closing.set)

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                Thread(target=self._run, name="ragstone-guard-long", daemon=True).start()
                self._ready.wait()
        if self._loop is None:
            raise AssertionError
        return self._loop

    def _run(self) -> None:
        asyncio.run(self._main())

    async def _main(self) -> None:
        self._closing = asyncio.Event()
        async with open_replaceable_workers(self._workers):
            self._context = copy_context()  # with the workers
            self._loop = asyncio.get_running_loop()
            self._ready.set()
            await self._closing.wait()
