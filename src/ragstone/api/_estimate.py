"""What a call would take, before anything is sent."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from ragstone.api._judge import resolve_judge
from ragstone.api._metric_selection import select_metrics
from ragstone.api._rows import DatasetRows
from ragstone.blocking import run_blocking
from ragstone.judges import Judge
from ragstone.metrics import Metric
from ragstone.metrics.base.selection import measurable_metrics
from ragstone.run import OnMissing, Plan
from ragstone.runner import Estimate
from ragstone.runner import estimate as estimated
from ragstone.runner.repeats import checked_repeats


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
    requested, optional = select_metrics(metrics, preset)
    answering = resolve_judge(judge, cache, offline=False, batch=batch, keyless=True)
    rows = DatasetRows(data, limit)
    choice = measurable_metrics(requested, optional, rows.cases(), on_missing or "error")
    plan = Plan(
        metrics=tuple(metric.spec for metric in choice.metrics),
        optional=tuple(metric.spec for metric in optional) if on_missing is None else (),
        judge=answering.name,
        on_missing=on_missing or "error",
        repeats=checked_repeats(repeats),
        batch=batch,
    )
    return run_blocking(estimated, plan, rows, choice.metrics, answering)
