"""Records of measurements: plain values for the summary, JUnit properties and other processes."""

from typing import Any

from ragstone.result import Result


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
        for name in (
            "score",
            "threshold",
            "status",
            "judge",
            "reason",
            *(("label",) if entry["label"] else ()),
        )
    ]


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
