"""Measure a dataset, and compare the scores with people's labels, or those of a cascade with its last judge."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from math import ceil
from typing import Any

from ragstone.api import evaluate
from ragstone.audit.ask_prompt import AskPrompt
from ragstone.case import TestCase
from ragstone.datasets import BadRow, read_dataset, source_name
from ragstone.errors import BadOption
from ragstone.findings import Report
from ragstone.findings.agreement import AgreementReport, agreement
from ragstone.findings.agreement.cascade_check import CascadeCheck, cascade_check
from ragstone.findings.agreement.human_labels import LABEL, check_labels
from ragstone.findings.agreement.model import WORST
from ragstone.judges import CascadeJudge, JudgeLike, get_judge
from ragstone.metrics import Metric
from ragstone.stats.hash_sampling import hash_uniform

_MIN_CHECKED = 2
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
    rows, cases = _read(data, limit)
    check_labels(cases, label)
    given = (metrics,) if isinstance(metrics, str | Metric) else tuple(metrics)
    selected = given or _default_metrics(cases)
    report = evaluate(cases, selected, judge=judge, **options)
    return agreement(_with_dataset(report, data, rows), label=label, worst=worst)


def check_cascade(
    data: object,
    metrics: str | Metric | Iterable[str | Metric] = (),
    *,
    judge: str | JudgeLike | None,
    share: float,
    limit: int | None = None,
    **options: Any,  # noqa: ANN401  (those of `evaluate`, passed on)
) -> CascadeCheck:
    """Measure all cases with a cascade, and a random share of them with its last judge alone.

    Args:
        data: a dataset, as `evaluate` takes it; it needs no labels.
        metrics: the metrics, or their specs.
        judge: several judges in a row, such as `local,openai:gpt-4o-mini`.
        share: the share of the cases that the last judge measures too, above 0 and below 1; at least two cases.
        limit: maximum number of rows to read.
        options: further options of `evaluate`.

    Raises:
        BadOption: the judge is not a cascade, the share is none, or there are fewer than three cases.
    """
    cascade = get_judge(judge, offline=bool(options.get("offline")))
    if not isinstance(cascade, CascadeJudge):
        raise BadOption(
            f"check compares judges in a row with the last of them, and {cascade.name} is one judge: write several "
            "with commas between them, such as local,openai:gpt-4o-mini"
        )
    if not 0 < share < 1:
        raise BadOption(
            f"check={share!r} is no share of the cases: write a number between 0 and 1, such as 0.05"
        )
    rows, cases = _read(data, limit)
    if len(cases) <= _MIN_CHECKED:
        raise BadOption(f"{len(cases)} cases are too few to check some of them: give three or more")
    size = min(len(cases) - 1, max(_MIN_CHECKED, ceil(share * len(cases))))
    drawn = sorted(
        range(len(cases)), key=lambda place: hash_uniform("cascade check", f"{place} {cases[place].id}")
    )
    places = sorted(drawn[:size])
    report = _with_dataset(evaluate(cases, metrics, judge=cascade, **options), data, rows)
    alone = evaluate([cases[place] for place in places], metrics, judge=cascade.members[-1], **options)
    return cascade_check(report, alone, places)


def _read(data: object, limit: int | None) -> tuple[list[TestCase | BadRow], list[TestCase]]:
    """Return the first rows of a dataset, and those of them that are test cases."""
    rows = list(islice(read_dataset(data), limit))
    return rows, [row for row in rows if isinstance(row, TestCase)]


def _with_dataset(report: Report, data: object, rows: Iterable[TestCase | BadRow]) -> Report:
    """Return the report with the name and the bad rows of the dataset, since the run received only its test cases."""
    plan = report.run.plan.model_copy(update={"dataset": source_name(data)})
    rejected = [str(row) for row in rows if isinstance(row, BadRow)]
    return replace(report, run=report.run.model_copy(update={"plan": plan}), rejected=rejected)


def _default_metrics(cases: Iterable[TestCase]) -> tuple[str | Metric, ...]:
    """Return the metrics for the first known task among the cases; empty if there is none."""
    tasks = (case.metadata.get("task") for case in cases)
    return next((_BY_TASK[task] for task in tasks if isinstance(task, str) and task in _BY_TASK), ())
