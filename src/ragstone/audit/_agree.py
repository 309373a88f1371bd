"""Measure a labelled dataset, and compare the scores with people's labels."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Any

from ragstone.api import evaluate
from ragstone.audit.ask_prompt import AskPrompt
from ragstone.case import TestCase
from ragstone.datasets import BadRow, read_dataset, source_name
from ragstone.judges import JudgeLike
from ragstone.metrics import Metric
from ragstone.reports import Report
from ragstone.reports.agreement import AgreementReport, agreement
from ragstone.reports.agreement.human_labels import LABEL, check_labels
from ragstone.reports.agreement.model import WORST

_TASKS: dict[str, tuple[str | Metric, ...]] = {
    "support": (AskPrompt(prompt="judge_claims"),),
    "relevance": (AskPrompt(prompt="judge_statements"),),
    "correctness": ("answer_correctness",),
    "similarity": ("semantic_similarity",),
    "quality": ("answer_correctness",),
}
"""What a labelled judgement of that task is held against, where no metric is named."""


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
    """Hold a judge against people's labels.

    Args:
        data: a labelled dataset, as `evaluate` takes it; or the report of a run over one, and nothing is asked again.
        metrics: what the labels speak of: metrics or their specs, `AskPrompt` for a single prompt. Where none is named
            and the rows have a `task`, what fits it; otherwise the preset `rag`.
        judge: a judge or its spec; the embedded judge where None.
        label: the field of the test cases' metadata that holds what people said; dots lead into a group. Yes or no as
            1 or 0 or in words, or a grade. Cases without a label are judged too: their mean is corrected by the others.
        worst: how many of the worst disagreements to keep for each metric.
        limit: most rows to read.
        options: further ones of `evaluate`: `cluster`, `concurrency`, `timeout`, `repeats`, `cache`, `listeners` …

    Raises:
        UsageError: what was asked for cannot run, or nothing is labelled; nothing was asked of the judge.
    """
    if isinstance(data, Report):
        return agreement(data, label=label, worst=worst)
    rows = list(islice(read_dataset(data), limit))
    cases = [row for row in rows if isinstance(row, TestCase)]
    check_labels(cases, label)
    wanted = _wanted(metrics) or _fitting(cases)
    report = evaluate(cases, wanted, judge=judge, **options)
    return agreement(_named(report, data, rows), label=label, worst=worst)


def _named(report: Report, data: object, rows: Iterable[TestCase | BadRow]) -> Report:
    """Return the report with the name of the dataset and its bad rows, of which the run saw the good ones alone."""
    plan = report.run.plan.model_copy(update={"dataset": source_name(data)})
    rejected = [str(row) for row in rows if isinstance(row, BadRow)]
    return replace(report, run=report.run.model_copy(update={"plan": plan}), rejected=rejected)


def _wanted(metrics: str | Metric | Iterable[str | Metric]) -> tuple[str | Metric, ...]:
    return (metrics,) if isinstance(metrics, str | Metric) else tuple(metrics)


def _fitting(cases: Iterable[TestCase]) -> tuple[str | Metric, ...]:
    """Return the metrics that fit the task of the first case that names one."""
    named = (case.metadata.get("task") for case in cases)
    return next((_TASKS[task] for task in named if isinstance(task, str) and task in _TASKS), ())
