"""What a call would take, before anything is sent."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from ragstone.api._judge import answering_judge
from ragstone.api._rows import Rows
from ragstone.api._wanted import wanted
from ragstone.judges import Judge
from ragstone.metrics import Metric
from ragstone.metrics._choice import feedable
from ragstone.metrics._portal import run_blocking
from ragstone.run import OnMissing, Plan
from ragstone.runner import Estimate
from ragstone.runner import estimate as estimated
from ragstone.runner._repeats import checked_repeats


def estimate(
    data: object,
    metrics: str | Metric | Iterable[str | Metric] = (),
    *,
    preset: str | Sequence[Metric] | None = None,
    judge: str | Judge | None = None,
    on_missing: OnMissing | None = None,
    limit: int | None = None,
    repeats: int = 1,
    cache: bool | str | Path | None = None,
    batch: bool = False,
) -> Estimate:
    """Return what `evaluate` would take: calls, tokens and dollars. Nothing is sent.

    Args:
        data: as for `evaluate`.
        metrics: likewise.
        preset: likewise.
        judge: likewise; it needs no key.
        on_missing: likewise.
        limit: likewise.
        repeats: likewise.
        cache: likewise; what it holds takes nothing.
        batch: likewise; the dollars are half as many.

    Raises:
        UsageError: as for `evaluate`.
    """
    asked_for, optional = wanted(metrics, preset)
    answering = answering_judge(judge, cache, offline=False, batch=batch, keyless=True)
    rows = Rows(data, limit)
    choice = feedable(asked_for, optional, rows.cases(), on_missing or "error")
    plan = Plan(
        metrics=tuple(metric.spec for metric in choice.metrics),
        optional=tuple(metric.spec for metric in optional) if on_missing is None else (),
        judge=answering.name,
        on_missing=on_missing or "error",
        repeats=checked_repeats(repeats),
        batch=batch,
    )
    return run_blocking(estimated, plan, rows, choice.metrics, answering)
