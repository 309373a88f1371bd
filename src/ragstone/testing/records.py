"""Records of measurements: plain values for other processes, for JUnit properties, and for the table of a session."""

from collections.abc import Iterator, Sequence
from typing import Any

from ragstone.findings.tallies import ScoreTally
from ragstone.findings.view.figure_text import interval_text, label_counts, mean_text
from ragstone.result import Result, SlimResult
from ragstone.status import STATUS_WORDS, STATUSES

_WORDS = (STATUS_WORDS[status] for status in STATUSES)
_HEADER = ("metric", "n", *_WORDS, "mean", "95 % interval", "judge calls")
_NO_TOKENS = {"input_tokens": 0, "output_tokens": 0, "cached_tokens": 0}
_TALLIED = ("metric", "spec", "score", "low", "high", "status", "cost", "calls", "label")


def record(result: Result, status: str | None = None) -> dict[str, Any]:
    """Return the part of a result that the summary needs."""
    return {
        "metric": result.metric,
        "spec": result.spec,
        "score": result.score,
        "low": result.low,
        "high": result.high,
        "label": result.label,
        "categories": list(result.categories),
        "threshold": result.threshold,
        "status": status or result.status,
        "reason": result.error or result.reason or "",
        "case_id": result.case_id,
        "judge": result.judge,
        "calls": result.usage.calls,
        "cost": result.evaluation_cost,
    }


def properties(records: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return the JUnit properties of a test: score, threshold, status and judge of each metric it measured."""
    return [
        (f"ragstone.{entry['spec']}.{name}", _text(entry[name]))
        for entry in records
        for name in ("score", "threshold", "status", "judge", "reason", "label")
        if name != "label" or entry["label"]
    ]


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


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
        values: dict[str, Any] = {name: entry[name] for name in _TALLIED}
        values |= {"categories": tuple(entry["categories"]), **_NO_TOKENS}
        tally.add(SlimResult(**values))
    figure = tally.figure()
    calls = sum(entry["calls"] for entry in entries)
    counts = (str(figure.counts[status]) for status in STATUSES)
    interval = "" if not figure.n else "too few" if figure.too_few else interval_text(figure)
    found = label_counts(figure.shares) if figure.n and figure.low is None and figure.shares else ""
    mean = mean_text(figure, "") if figure.n else ""
    return (spec, str(figure.n), *counts, mean, found or interval, str(calls))


def _costs(records: Sequence[dict[str, Any]]) -> str:
    costs = [record["cost"] for record in records if record["calls"]]
    priced = [cost for cost in costs if cost is not None]
    if not costs:
        return ""
    return f" for ${sum(priced):.4f}" if len(priced) == len(costs) else ", price of the model not known"
