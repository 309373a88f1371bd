"""Measure the same case several times, since one answer of a judge is one draw from a distribution.

Every repeat asks the judge anew, with the same words and settings. The repeats become one result: its score is the mean
of the scores, its label the most frequent one (a tie is undecided), its reason and verdicts are those of the repeat
nearest to the mean, or of the first with that label, and `metadata["repeats"]` lists all.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from ragstone.result import Result, Usage, decide

REPEATS = "repeats"  # key of the repeats in a result's metadata


async def measure_repeatedly(measure: Callable[[int], Coroutine[Any, Any, Result]], repeats: int) -> Result:
    """Return the combined result of `repeats` measurements, run concurrently as far as the judge allows."""
    tasks = [asyncio.ensure_future(measure(number)) for number in range(repeats)]
    try:
        return combine(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def combine(results: Sequence[Result]) -> Result:
    """Return several measurements of the same case as one result.

    The mean covers the measurements that have a score; where none has, the result has none either.
    """
    mean, low, high = (_mean_of(results, name) for name in ("score", "low", "high"))
    label = _most_frequent(results)
    typical = _typical(results, mean, label)
    threshold, higher = typical.threshold, typical.higher_is_better
    success = False
    if low is not None and high is not None and threshold is not None:
        success = decide(mean, low, high, threshold=threshold, higher_is_better=higher) == "passed"
    return typical.model_copy(
        update={
            "score": mean,
            "low": low,
            "high": high,
            "label": label,
            "success": success,
            "metadata": {**typical.metadata, REPEATS: [_summary(result) for result in results]},
            "usage": sum((result.usage for result in results), Usage()),
            "evaluation_cost": _cost(results),
            "latency_ms": max(result.latency_ms for result in results),
        }
    )


def _mean_of(results: Sequence[Result], name: str) -> float | None:
    values = [value for result in results if (value := getattr(result, name)) is not None]
    return sum(values) / len(values) if values else None


def _most_frequent(results: Sequence[Result]) -> str | None:
    """Return the label of more measurements than any other; None for a tie, and without labels."""
    counts = Counter(result.label for result in results if result.label).most_common(2)
    tied = len(counts) > 1 and counts[0][1] == counts[1][1]
    return counts[0][0] if counts and not tied else None


def _typical(results: Sequence[Result], mean: float | None, label: str | None) -> Result:
    """Return the first result nearest to the mean.

    Without a mean it is the first with the label, or with any label where they tie; else the first failure or skip.
    """
    if mean is None:
        labelled = [result for result in results if result.label is not None]
        if labelled:
            return next((result for result in labelled if result.label == label), labelled[0])
        return next((result for result in results if result.error), results[0])
    measured = [result for result in results if result.score is not None]
    return min(measured, key=lambda result: abs((result.score or 0.0) - mean))


def _summary(result: Result) -> dict[str, Any]:
    summary = {name: getattr(result, name) for name in _SUMMARY_FIELDS}
    return {**summary, "skipped": True} if result.skipped else summary


_SUMMARY_FIELDS = ("score", "status", "label", "success", "reason", "error")


def _cost(results: Sequence[Result]) -> float | None:
    costs = [result.evaluation_cost for result in results]
    return None if None in costs else sum(cost for cost in costs if cost is not None)
