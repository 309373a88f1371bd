"""The table at the end of a test session: each metric with its mean and interval."""

from collections.abc import Iterator, Sequence
from typing import Any

from ragstone.findings.tallies import ScoreTally
from ragstone.findings.view.figure_text import interval_text, label_counts, mean_text
from ragstone.result import SlimResult
from ragstone.status import STATUS_WORDS, STATUSES

_HEADER = (
    "metric",
    "n",
    *(STATUS_WORDS[status] for status in STATUSES),
    "mean",
    "95 % interval",
    "judge calls",
)


def table(records: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the table, then the judges and the cost.

    The statuses follow the metric's threshold, regardless of what a test asserted.
    """
    by_metric: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        by_metric.setdefault(record["spec"], []).append(record)
    rows = [_HEADER, *(_row(spec, entries) for spec, entries in by_metric.items())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADER))]
    for row in rows:
        first, *others = (
            cell.ljust(width) if number == 0 else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join((first, *others))
    judges = sorted({record["judge"] for record in records if record["judge"]})
    yield f"judged by {', '.join(judges)}{_costs(records)}"


def _row(spec: str, entries: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    tally = ScoreTally(spec)
    for entry in entries:
        tally.add(_outcome(entry))
    figure = tally.figure()
    calls = sum(entry["calls"] for entry in entries)
    counts = (str(figure.counts[status]) for status in STATUSES)
    interval = "" if not figure.n else "too few" if figure.too_few else interval_text(figure)
    found = label_counts(figure.shares) if figure.n and figure.low is None and figure.shares else ""
    mean = mean_text(figure, "") if figure.n else ""
    return (spec, str(figure.n), *counts, mean, found or interval, str(calls))


def _outcome(entry: dict[str, Any]) -> SlimResult:
    return SlimResult(
        metric=entry["metric"],
        spec=entry["spec"],
        score=entry["score"],
        low=entry["low"],
        high=entry["high"],
        status=entry["status"],
        cost=entry["cost"],
        calls=entry["calls"],
        input_tokens=0,
        output_tokens=0,
        cached_tokens=0,
        label=entry.get("label"),
        categories=tuple(entry.get("categories", ())),
    )


def _costs(records: Sequence[dict[str, Any]]) -> str:
    costs = [record["cost"] for record in records if record["calls"]]
    priced = [cost for cost in costs if cost is not None]
    if not costs:
        return ""
    return f" for ${sum(priced):.4f}" if len(priced) == len(costs) else ", price of the model not known"
