"""Measure the same several times: what a judge says once is a draw from what it might have said.

Every repeat really asks, with the same words and settings. Together they are one result: its score is the mean, its
reason and verdicts are those of the repeat nearest to the mean, and `metadata["repeats"]` keeps what each one said.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from ragstone.errors import BadOption
from ragstone.metrics.base.metric import TOLERANCE
from ragstone.result import Result, Usage

REPEATS = "repeats"
"""Where a result's metadata keeps its repeats."""


def checked_repeats(repeats: int) -> int:
    """Return how often to measure.

    Raises:
        BadOption: it is no whole number from 1 on.
    """
    if isinstance(repeats, bool) or not isinstance(repeats, int) or repeats < 1:  # pyright: ignore[reportUnnecessaryIsInstance]  (callers in Python may hand in anything)
        raise BadOption(f"repeats={repeats!r} measures nothing: write a whole number, 1 or more")
    return repeats


async def measure_repeatedly(measure: Callable[[int], Coroutine[Any, Any, Result]], times: int) -> Result:
    """Return the result of measuring `times` times, all at once as far as the judge allows."""
    if times == 1:
        return await measure(0)
    tasks = [asyncio.ensure_future(measure(number)) for number in range(times)]
    try:
        return combine(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def combine(results: Sequence[Result]) -> Result:
    """Return several measurements of the same as one result.

    What could not be measured is in no mean; only where nothing could be, there is no score.
    """
    scores = [result.score for result in results if result.score is not None]
    mean = sum(scores) / len(scores) if scores else None
    typical = _typical(results, mean)
    return typical.model_copy(
        update={
            "score": mean,
            "success": mean is not None and _passes(typical, mean),
            "metadata": {**typical.metadata, REPEATS: [_kept(result) for result in results]},
            "usage": sum((result.usage for result in results), Usage()),
            "evaluation_cost": _cost(results),
            "latency_ms": max(result.latency_ms for result in results),
        }
    )


def _typical(results: Sequence[Result], mean: float | None) -> Result:
    """Return the result nearest to the mean, the first of several; where none has a score, a failure before a skip."""
    if mean is None:
        return next((result for result in results if result.error), results[0])
    measured = [result for result in results if result.score is not None]
    return min(measured, key=lambda result: abs((result.score or 0.0) - mean))


def _passes(result: Result, mean: float) -> bool:
    distance = mean - result.threshold if result.higher_is_better else result.threshold - mean
    return distance >= -TOLERANCE


def _kept(result: Result) -> dict[str, Any]:
    said = {"score": result.score, "success": result.success, "reason": result.reason, "error": result.error}
    return {**said, "skipped": True} if result.skipped else said


def _cost(results: Sequence[Result]) -> float | None:
    costs = [result.evaluation_cost for result in results]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None
