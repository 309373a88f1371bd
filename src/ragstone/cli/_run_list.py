"""Runs as a list in the terminal and as JSON: their description, progress and metric figures."""

from typing import Any

from ragstone.metric_label import metric_labels
from ragstone.reports.numbers import count, dollars, duration, percent, score
from ragstone.show.document import (
    SIGNS,
    Document,
    Item,
    Line,
    StyledText,
    cut,
    dotted,
    line,
    listed,
    quiet,
    strong,
)
from ragstone.status import STATUS_WORDS, STATUSES
from ragstone.store import MetricLine, RunLine, RunPage

_MAX_NAME_LENGTH = 60
_MIN_SCORES_FOR_PERCENT = 10
"""Fewest scores for a pass rate in percent; `TOO_FEW` of `ragstone.stats`, which is slow to import."""


def run_list(page: RunPage) -> Document:
    """Return the runs of a page, the latest first."""
    hidden = page.count - len(page.lines)
    note = f"{count(hidden, 'other run')} not shown; --limit and --offset show them." if hidden > 0 else ""
    ending = note if page.count else "No run matches."
    rest = [Item(line(StyledText(ending, "quiet" if page.count else "")))] if ending else []
    return Document("", (), (), listed([*map(_run, page.lines), *rest]))


def _run(run: RunLine) -> Item:
    labels = " ".join((*(f"[{baseline}]" for baseline in run.baselines), *(f"#{tag}" for tag in run.tags)))
    when = f"{run.started:%Y-%m-%d %H:%M}"
    facts = dotted(when, run.id, run.judge, cut(run.dataset or "", 200), _state(run), dollars(run.cost))
    title = line(strong(run.name or run.dataset or run.id, _MAX_NAME_LENGTH), "  ", quiet(labels, 200))
    return Item(title, _mark(run), (tuple(StyledText(text, "quiet") for text, *_ in facts), *_metrics(run)))


def _metrics(run: RunLine) -> tuple[Line, ...]:
    labels = metric_labels((metric.spec, metric.metric) for metric in run.metrics).values()
    names = [cut(label, _MAX_NAME_LENGTH) for label in labels]
    width = max(map(len, names), default=0)
    rows = zip(names, run.metrics, strict=True)
    return tuple(line(f"{name:<{width}}{_figures(metric)}") for name, metric in rows)


def _mark(run: RunLine) -> StyledText:
    if run.progress.state != "complete" or any(metric.not_measured for metric in run.metrics):
        return SIGNS["not_measured"]
    return SIGNS["missed" if any(metric.missed for metric in run.metrics) else "passed"]


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
