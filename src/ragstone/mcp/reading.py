"""Conversion of what is stored to the answers of tools: the values that commands write as JSON, bounded in length."""

from collections.abc import Mapping
from typing import Any

from ragstone.findings import Report
from ragstone.findings.comparison import RunComparison
from ragstone.findings.diagnosis import Diagnosis
from ragstone.findings.view.figure_text import figure_sentence
from ragstone.findings.view.findings import all_findings
from ragstone.findings.view.metric_names import metric_name, metric_names
from ragstone.mcp import results
from ragstone.mcp.texts import MarkedName
from ragstone.metrics.base import documentation
from ragstone.metrics.base.catalog import BUILT_IN, PRESETS
from ragstone.metrics.base.outside import check_outside
from ragstone.metrics.base.parse import find_metric
from ragstone.plugins import load
from ragstone.result import Result
from ragstone.show import comparison, diagnosis
from ragstone.show.render.json import figure_values, plain
from ragstone.show.run_list import run_values
from ragstone.store import CaseLine, RunLine, StoredCase

MAX_PASSAGES, MAX_FLIPS, MAX_MISSES, MAX_NOTES, MAX_FINDINGS, MAX_TURNS = 20, 5, 10, 20, 40, 40
"""Most entries of a list in an answer; the answer also holds how many there are."""


def run_of(line: RunLine) -> results.RunAnswer:
    """Return a stored run with the figures of its metrics."""
    values = run_values(line)
    pairs = zip(values["metrics"], line.metrics, strict=True)
    figures = [{**metric, "text": figure_sentence(stored.figure)} for metric, stored in pairs]
    return results.RunAnswer.model_validate({**values, "metrics": figures})


def figures_of(report: Report) -> tuple[results.MetricFigureAnswer, ...]:
    """Return the figures of the metrics of a report."""
    return tuple(
        results.MetricFigureAnswer.model_validate(
            {**plain(figure_values(figure)), "metric": name, "text": figure_sentence(figure)}
        )
        for name, figure in report.summary().items()
    )


def case_of(run: str, found: StoredCase) -> results.CaseAnswer:
    """Return a test case of a run with its results."""
    case = found.case
    passages = case.get("retrieval_context") or ()
    names = metric_names(found.results.values())
    return results.CaseAnswer.model_validate(
        {
            "run": run,
            "number": found.case_index + 1,
            "id": case.id,
            "name": case.name,
            "question": case.input or "",
            "answer": case.actual_output,
            "expected": case.expected_output,
            "passages": passages[:MAX_PASSAGES],
            "passages_in_all": len(passages),
            "turns": [
                turn.model_dump(include={"role", "content"}) for turn in (case.turns or ())[:MAX_TURNS]
            ],
            "tools_called": [
                call.model_dump_json(exclude_none=True, fallback=repr)
                for call in (case.tools_called or ())[:MAX_TURNS]
            ],
            "results": [_result(found, result, names) for result in found.results.values()],
            "annotations": [
                {
                    **plain(item, "annotator", "verdict"),
                    "claim": item.claim or None,
                    "note": item.note or None,
                }
                for item in found.annotations
            ],
        }
    )


def _result(found: StoredCase, result: Result, names: Mapping[str, str]) -> dict[str, Any]:
    attributes = ("spec", "status", "score", "low", "high", "threshold", "reason", "error")
    findings = list(all_findings(found.case, result))[:MAX_FINDINGS]
    return {**plain(result, *attributes), "metric": metric_name(result, names), "findings": plain(findings)}


def worst_case_of(line: CaseLine, reason: str) -> results.WorstCaseAnswer:
    """Return a test case of a list, with the reason of its worst result."""
    counts = plain(line, "passed", "missed", "undecided", "not_measured", "skipped", "question")
    return results.WorstCaseAnswer.model_validate(
        {
            **counts,
            "number": line.case_index + 1,
            "id": line.case_id,
            "answer": line.answer or None,
            "reason": reason or None,
        }
    )


def comparison_of(found: RunComparison) -> results.ComparisonAnswer:
    """Return the comparison of two runs; of each metric the first cases that flipped."""
    values = comparison.values(found)
    metrics = [
        {**metric, "flips": metric["flips"][:MAX_FLIPS], "flipped": len(metric["flips"])}
        for metric in values["metrics"]
    ]
    sides = {
        side: {**values[side], "figures": figures_of(report)}
        for side, report in (("before", found.before), ("after", found.after))
    }
    cases = {side: len(values[side]) for side in ("only_before", "only_after")}
    short = {"metrics": plain(metrics), "warnings": values["warnings"][:MAX_NOTES]}
    return results.ComparisonAnswer.model_validate({**values, **sides, **cases, **short})


def explanation_of(found: Diagnosis) -> results.ExplanationAnswer:
    """Return the causes of the misses of a run, and the first cases of them."""
    values = plain(diagnosis.values(found))
    misses = [
        {
            **miss,
            "number": miss["place"] + 1,
            "question": miss["input"] or "",
            "evidence": "\n".join(" ".join(filter(None, line)) for line in case.evidence.lines)
            if case.evidence
            else None,
        }
        for miss, case in zip(values["misses"][:MAX_MISSES], found.missed, strict=False)
    ]
    notes = values["notes"][:MAX_NOTES]
    return results.ExplanationAnswer.model_validate(
        {**values, "run": found.report.run.id, "misses": misses, "notes": notes}
    )


def metrics_of(name: str) -> results.MetricsAnswer:
    """Return all metrics and presets, or one metric in full.

    Raises:
        UsageError: there is none of that name, or it is code of somebody else.
    """
    if name:
        check_outside(name)
        return results.MetricsAnswer(metrics=(_metric(find_metric(name), in_full=True),), presets=())
    presets = tuple(
        results.PresetAnswer(name=MarkedName.of(group), metrics=tuple(map(MarkedName.of, specs)))
        for group, specs in PRESETS.items()
    )
    return results.MetricsAnswer(
        metrics=tuple(_metric(load(path), in_full=False) for path in BUILT_IN.values()), presets=presets
    )


def _metric(metric: Any, *, in_full: bool) -> results.MetricAnswer:  # noqa: ANN401  (a metric's class)
    values = documentation.described(metric)
    return results.MetricAnswer.model_validate(
        values if in_full else {**values, "description": None, "options": ()}
    )
