"""Stored runs as a list and as JSON: their description, progress and metric figures."""

from typing import Any

from ragstone.findings.numbers import count, dollars, duration
from ragstone.findings.view.figure_text import counts, interval_text, mean_text, pass_text
from ragstone.metric_label import metric_labels
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
from ragstone.show.render.json import figure_values, plain
from ragstone.stats.figure import Figure
from ragstone.store import RunLine, RunPage

_MAX_NAME_LENGTH = 60


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
    return tuple(line(f"{name:<{width}}{_figures(metric.figure)}") for name, metric in rows)


def _mark(run: RunLine) -> StyledText:
    if run.progress.state != "complete" or any(metric.figure.not_measured for metric in run.metrics):
        return SIGNS["not_measured"]
    return SIGNS["missed" if any(metric.figure.missed for metric in run.metrics) else "passed"]


def _state(run: RunLine) -> str:
    progress = run.progress
    if progress.state == "complete":
        return duration(progress.seconds)
    total_text = "" if progress.total is None else f" of {progress.total:,}"
    return f"{progress.state}: {progress.done:,}{total_text} results"


def _figures(found: Figure) -> str:
    passed = pass_text(found)
    counted = ", ".join((f"n = {found.n:,}", *(text for _, text in counts(found.counts))))
    mean, interval = mean_text(found, "no score"), interval_text(found)
    return "  ".join(("", mean, interval, *([passed] if passed else ()), counted))


def run_values(run: RunLine) -> dict[str, Any]:
    """Return a run as plain values, for JSON."""
    return {
        **plain(run, "id", "name", "dataset", "judge", "tags", "baselines"),
        "started": run.started.isoformat(),
        "state": run.progress.state,
        "why": run.why,
        **plain(run.progress, "done", "total", "seconds"),
        "cost": run.cost,
        "metrics": [
            {**plain(metric, "metric", "spec", "cost"), **figure_values(metric.figure)}
            for metric in run.metrics
        ],
    }
