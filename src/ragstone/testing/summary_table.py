"""The table at the end of a test session: each metric with its mean and interval."""

from collections.abc import Iterator, Sequence
from typing import Any

from ragstone.stats.summary import Summary, summarise

_HEADER = ("metric", "n", "pass", "fail", "error", "mean", "95 % interval", "judge calls")


def table(records: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the table, then the judges and the cost.

    PASS and FAIL follow the metric's threshold, regardless of what a test asserted.
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
    measured = [entry for entry in entries if entry["status"] != "SKIPPED"]
    passes = [None if entry["score"] is None else entry["status"] == "PASS" for entry in measured]
    summary = summarise([entry["score"] for entry in measured], passes, skipped=len(entries) - len(measured))
    passed = sum(decision is True for decision in passes)
    mean = "" if summary.mean is None else f"{summary.mean:.2f}"
    calls = sum(entry["calls"] for entry in entries)
    return (
        spec,
        *map(str, (summary.n, passed, summary.n - passed, summary.failed)),
        mean,
        _interval(summary),
        str(calls),
    )


def _interval(summary: Summary) -> str:
    if summary.mean is None or summary.too_few:
        return "too few" if summary.n else ""
    return f"{summary.interval.low:.2f}\N{EN DASH}{summary.interval.high:.2f}"


def _costs(records: Sequence[dict[str, Any]]) -> str:
    costs = [record["cost"] for record in records if record["calls"]]
    priced = [cost for cost in costs if cost is not None]
    if not costs:
        return ""
    return f" for ${sum(priced):.4f}" if len(priced) == len(costs) else ", price of the model not known"
