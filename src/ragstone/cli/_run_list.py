"""Runs as a list in the terminal and as JSON: their description, progress and metric figures."""

from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ragstone.metric_label import metric_labels
from ragstone.reports.console.glyphs import Glyphs
from ragstone.reports.console.styles import QUIET, STRONG, indented, joined, status_mark, styled, untrusted
from ragstone.reports.numbers import count, dollars, duration, percent, score
from ragstone.status import STATUS_WORDS, STATUSES
from ragstone.store import MetricLine, RunLine, RunPage

_MAX_NAME_LENGTH = 60
_MIN_SCORES_FOR_PERCENT = 10
"""Fewest scores for a pass rate in percent; `TOO_FEW` of `ragstone.stats`, which is slow to import."""


def run_list(page: RunPage, glyphs: Glyphs) -> Iterator[RenderableType]:
    """Yield the runs of a page, the latest first."""
    for run in page.lines:
        yield from _run(run, glyphs)
    hidden_count = page.count - len(page.lines)
    if not page.count:
        yield styled("No run matches.")
    elif hidden_count > 0:
        yield styled(f"{count(hidden_count, 'other run')} not shown; --limit and --offset show them.", QUIET)


def _run(run: RunLine, glyphs: Glyphs) -> Iterator[RenderableType]:
    separator = f" {glyphs.separator} "
    name = untrusted(run.name or run.dataset or run.id, glyphs, _MAX_NAME_LENGTH, STRONG)
    labels = " ".join((*(f"[{baseline}]" for baseline in run.baselines), *(f"#{tag}" for tag in run.tags)))
    yield joined(_mark(run, glyphs), " ", name, "  ", untrusted(labels, glyphs, 200, QUIET))
    facts = [
        f"{run.started:%Y-%m-%d %H:%M}",
        run.id,
        run.judge,
        run.dataset or "",
        _state(run),
        dollars(run.cost),
    ]
    yield indented(untrusted(separator.join(fact for fact in facts if fact), glyphs, 300, QUIET), 2)
    names = list(metric_labels((metric.spec, metric.metric) for metric in run.metrics).values())
    width = min(_MAX_NAME_LENGTH, max(map(len, names), default=0))
    for name, metric in zip(names, run.metrics, strict=True):
        blanks = " " * max(0, width - len(name))
        yield indented(joined(untrusted(name, glyphs, _MAX_NAME_LENGTH), blanks, _figures(metric)), 2)
    yield ""


def _mark(run: RunLine, glyphs: Glyphs) -> Text:
    if run.progress.state != "complete" or any(metric.not_measured for metric in run.metrics):
        return status_mark("not_measured", glyphs)
    return status_mark("missed" if any(metric.missed for metric in run.metrics) else "passed", glyphs)


def _state(run: RunLine) -> str:
    progress = run.progress
    if progress.state == "complete":
        return duration(progress.seconds)
    total_text = "" if progress.total is None else f" of {progress.total:,}"
    return f"{progress.state}: {progress.done:,}{total_text} results"


def _figures(metric: MetricLine) -> str:
    mean = "no score" if metric.mean is None else score(metric.mean)
    is_too_few = 0 < metric.n < _MIN_SCORES_FOR_PERCENT
    share_text = f"{metric.passed} of {metric.n}" if is_too_few else percent(metric.pass_rate or 0.0)
    passed = "" if metric.pass_rate is None else f"  {share_text} passed"
    warning = ", too few to say" if is_too_few else ""
    beside = "".join(
        f", {getattr(metric, status):,} {STATUS_WORDS[status]}"
        for status in ("undecided", "not_measured")
        if getattr(metric, status)
    )
    return f"  {mean}{passed}  n = {metric.n:,}{warning}{beside}"


def as_plain(run: RunLine) -> dict[str, Any]:
    """Return a run as plain values, for JSON."""
    progress = run.progress
    return {
        "id": run.id,
        "name": run.name,
        "dataset": run.dataset,
        "judge": run.judge,
        "tags": list(run.tags),
        "baselines": list(run.baselines),
        "started": run.started.isoformat(),
        "state": progress.state,
        "why": run.why,
        "done": progress.done,
        "total": progress.total,
        "seconds": progress.seconds,
        "cost": run.cost,
        "metrics": [_metric(metric) for metric in run.metrics],
    }


def _metric(metric: MetricLine) -> dict[str, Any]:
    names = ("metric", "spec", "n", *STATUSES, "mean", "low", "high", "pass_rate", "cost")
    return {name: getattr(metric, name) for name in names}
