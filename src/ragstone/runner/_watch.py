"""Ends a measurement that takes too long. Time in which the judge's limits let it wait is not counted."""

import asyncio
from time import perf_counter

from ragstone.judges._inquiry import Inquiry

_SOON = 0.001


class Watch:
    """Looks at one measurement when its time is up, and again as much later as it was kept waiting."""

    def __init__(self, limit: asyncio.Timeout, inquiry: Inquiry, patience: float) -> None:
        """Let `limit` expire once the measurement has worked for `patience` seconds."""
        self._limit = limit
        self._inquiry = inquiry
        self._patience = patience
        self._begin = perf_counter()
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(patience, self._look)

    def stop(self) -> None:
        """Look no more."""
        self._timer.cancel()

    def _look(self) -> None:
        now = perf_counter()
        left = self._patience - (now - self._begin - self._inquiry.waited(now))
        if left > _SOON:
            self._timer = self._loop.call_later(left, self._look)
        else:
            self._limit.reschedule(self._loop.time())
