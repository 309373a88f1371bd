"""A comparison as one JSON document."""

import json
from dataclasses import asdict
from typing import Any

from ragstone.reports.comparison.model import MetricChange, RunComparison
from ragstone.reports.report import Report
from ragstone.stats.pass_change import PassChange

SCHEMA = 1
"""Version of the document's schema, incremented with every incompatible change."""


_COMPARISON_FIELDS = (
    *(
        "n",
        "unpaired",
        "undecided",
        "before",
        "after",
        "difference",
        "before_high",
        "after_high",
        "difference_high",
    ),
    *("p_value", "adjusted_p", "tested", "level", "better", "worse", "same", "can_show", "detectable"),
    *("higher_is_better", "verdict"),
)


def render(comparison: RunComparison) -> str:
    """Return the comparison as JSON."""
    return f"{json.dumps(_document(comparison), ensure_ascii=True, indent=1)}\n"


def _document(comparison: RunComparison) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "before": _run(comparison.before),
        "after": _run(comparison.after),
        "verdict": comparison.verdict,
        "regressed": comparison.regressed,
        "state": comparison.state,
        "exit_code": comparison.exit_code,
        "cases": comparison.cases,
        "by_question": comparison.by_question,
        "only_before": comparison.only_before,
        "only_after": comparison.only_after,
        "metrics_only_before": comparison.metrics_only_before,
        "metrics_only_after": comparison.metrics_only_after,
        "warnings": comparison.warnings,
        "worth": comparison.worth,
        "metrics": [_metric(metric) for metric in comparison.metrics],
    }


def _run(report: Report) -> dict[str, Any]:
    plan = report.run.plan
    return {"id": report.run.id, "name": plan.name, "judge": plan.judge, "prompts": plan.prompts}


def _metric(metric: MetricChange) -> dict[str, Any]:
    comparison = metric.comparison
    return {
        **{name: getattr(comparison, name) for name in _COMPARISON_FIELDS},
        "passes": _passes(comparison.passes) if comparison.passes else None,
        "metric": metric.name,
        "interval": asdict(comparison.interval) if comparison.n else None,
        "single_interval": asdict(comparison.single_interval) if comparison.n else None,
        "too_few": comparison.interval.too_few,
        "sentence": comparison.sentence(),
        "thresholds": metric.thresholds,
        "lost": metric.lost,
        "cases_needed": metric.needed,
        "flips": [asdict(flip) for flip in metric.flips],
    }


def _passes(passes: PassChange) -> dict[str, Any]:
    names = (
        "before",
        "after",
        "before_high",
        "after_high",
        "broke",
        "mended",
        "p_value",
        "adjusted_p",
        "verdict",
    )
    return {**{name: getattr(passes, name) for name in names}, "interval": asdict(passes.interval)}
