"""Measure a labelled dataset, and compare the scores with people's labels."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Any

from ragstone.api import evaluate
from ragstone.audit.ask_prompt import AskPrompt
from ragstone.case import TestCase
from ragstone.datasets import BadRow, read_dataset, source_name
from ragstone.findings import Report
from ragstone.findings.agreement import AgreementReport, agreement
from ragstone.findings.agreement.human_labels import LABEL, check_labels
from ragstone.findings.agreement.model import WORST
from ragstone.judges import JudgeLike
from ragstone.metrics import Metric

_BY_TASK: dict[str, tuple[str | Metric, ...]] = {
    "support": (AskPrompt(prompt="judge_claims"),),
    "relevance": (AskPrompt(prompt="judge_statements"),),
    "correctness": ("answer_correctness",),
    "similarity": ("semantic_similarity",),
    "quality": ("answer_correctness",),
}
"""Default metrics for each task of labelled judgements."""


def agree(
    data: object,
    metrics: str | Metric | Iterable[str | Metric] = (),
    *,
    judge: str | JudgeLike | None = None,
    label: str = LABEL,
    worst: int = WORST,
    limit: int | None = None,
    **options: Any,  # noqa: ANN401  (those of `evaluate`, passed on)
) -> AgreementReport:
    """Compare a judge with human labels.

    Args:
        data: a labelled dataset, as `evaluate` takes it; or the report of a run over one, which is not evaluated again.
        metrics: the metrics that the labels are about, or their specs; `AskPrompt` for a single prompt. By default the
            metrics for the `task` of the rows; without a task, the preset `rag`.
        judge: a judge or its spec; the embedded judge where None.
        label: the metadata field of the test cases that holds the human label; dots separate nested keys. Labels are
            yes or no (as 1 or 0 or in words) or a grade. Cases without a label are also judged, and their mean is
            corrected by means of the labelled ones.
        worst: number of worst disagreements to keep for each metric.
        limit: maximum number of rows to read.
        options: further options of `evaluate`: `cluster`, `concurrency`, `timeout`, `repeats`, `cache`, `listeners` …

    Raises:
        UsageError: the arguments are invalid, or there are no labels; no request was sent to the judge.
    """
    if isinstance(data, Report):
        return agreement(data, label=label, worst=worst)
    rows = list(islice(read_dataset(data), limit))
    cases = [row for row in rows if isinstance(row, TestCase)]
    check_labels(cases, label)
    selected = _as_tuple(metrics) or _default_metrics(cases)
    report = evaluate(cases, selected, judge=judge, **options)
    return agreement(with_dataset(report, data, rows), label=label, worst=worst)


def with_dataset(report: Report, data: object, rows: Iterable[TestCase | BadRow]) -> Report:
    """Return the report with the name and the bad rows of the dataset, since the run received only its test cases."""
    plan = report.run.plan.model_copy(update={"dataset": source_name(data)})
    rejected = [str(row) for row in rows if isinstance(row, BadRow)]
    return replace(report, run=report.run.model_copy(update={"plan": plan}), rejected=rejected)


def _as_tuple(metrics: str | Metric | Iterable[str | Metric]) -> tuple[str | Metric, ...]:
    return (metrics,) if isinstance(metrics, str | Metric) else tuple(metrics)


def _default_metrics(cases: Iterable[TestCase]) -> tuple[str | Metric, ...]:
    """Return the metrics for the first known task among the cases; empty if there is none."""
    tasks = (case.metadata.get("task") for case in cases)
    return next((_BY_TASK[task] for task in tasks if isinstance(task, str) and task in _BY_TASK), ())
