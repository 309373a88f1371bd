"""Ends a measurement that takes too long. Time in which the judge's limits let it wait is not counted."""

import asyncio
from time import perf_counter

from ragstone.engine.context import MetricContext

_TOLERANCE = 0.001


class MeasurementTimeout:
    """Looks at one measurement when its time is up, and again as much later as it was kept waiting."""

    def __init__(self, limit: asyncio.Timeout, ctx: MetricContext, seconds: float) -> None:
        """Let `limit` expire once the measurement has worked for `seconds` seconds."""
        self._limit = limit
        self._ctx = ctx
        self._seconds = seconds
        self._begin = perf_counter()
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(seconds, self._check)

    def stop(self) -> None:
        """Look no more."""
        self._timer.cancel()

    def _check(self) -> None:
        now = perf_counter()
        left = self._seconds - (now - self._begin - self._ctx.waited(now))
        if left > _TOLERANCE:
            self._timer = self._loop.call_later(left, self._check)
        else:
            self._limit.reschedule(self._loop.time())
