"""The four arms of a failure as test cases, judged by the metrics of its run."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ragstone.api import evaluate
from ragstone.case import TestCase
from ragstone.findings.diagnosis.worth import ArmOutcomes
from ragstone.judges import JudgeLike
from ragstone.metrics import parse
from ragstone.oracle.asking import shortened
from ragstone.oracle.oracle_material import AnsweredFailure
from ragstone.result import Result

NO_PASSAGE = "No passage was retrieved."
"""Placeholder for an empty retrieval: without it, metrics would use the test case's own context."""

ARMS = ("real", "passages", "answers", "both")
_ANSWER_FIELDS = ("actual_output", "retrieval_context", "retrieved_ids", "tools_called")
_RETRIEVAL_METADATA = ("trace", "retrieved_deep", "retrieval_context_details")


def judge_arms(
    answered: Sequence[AnsweredFailure],
    specs: Sequence[str],
    judge: str | JudgeLike | None,
    problems: Counter[str],
    **options: Any,  # noqa: ANN401  (those of `evaluate`)
) -> list[ArmOutcomes]:
    """Return whether each failure passes in each arm; those that could not be judged in all of them are left out.

    Args:
        answered: the failures, with the answers of the application.
        specs: specs of the metrics.
        judge: the judge, or its spec.
        problems: counts of error messages, updated in place.
        options: options of `evaluate`. Nothing is written to a store.
    """
    if not answered:
        return []
    arms = [case for item in answered for case in arm_cases(item)]
    metrics = [parse(spec) for spec in specs]
    all_options: dict[str, Any] = {**options, "store": False}
    report = evaluate(arms, preset=metrics, judge=judge, progress=False, **all_options)
    rows = zip(report.cases, report.results, strict=False)
    passed = {case.id: _passed(row, problems) for case, row in rows}
    outcomes: list[ArmOutcomes] = []
    for number, (failure, _, _) in enumerate(answered):
        passes = [passed.get(case.id) for case in arms[len(ARMS) * number : len(ARMS) * (number + 1)]]
        if None not in passes:
            by_arm = dict(zip(ARMS, map(bool, passes), strict=True))
            outcomes.append(ArmOutcomes(failure.place, failure.cause, **by_arm, group=failure.group))
    return outcomes


def arm_cases(answered: AnsweredFailure) -> Iterator[TestCase]:
    """Yield the test case of each arm: as answered, with the oracle's passages, with its answer, with both."""
    failure, real, served = answered
    case = failure.case
    metadata = {name: value for name, value in case.metadata.items() if name not in _RETRIEVAL_METADATA}
    as_is = {name: getattr(real, name) for name in _ANSWER_FIELDS}
    as_is["retrieval_context"] = as_is["retrieval_context"] or (NO_PASSAGE,)
    with_passages = {name: getattr(served, name) for name in _ANSWER_FIELDS}
    if real.retrieved_ids is not None:
        with_passages["retrieved_ids"] = tuple(case.relevant_ids or ()) or None
    ideal: dict[str, Any] = {"actual_output": failure.oracle.answer}
    updates = (
        as_is,
        with_passages,
        as_is | ideal,
        with_passages | {"retrieval_context": failure.oracle.passages} | ideal,
    )
    for name, update in zip(ARMS, updates, strict=True):
        yield case.model_copy(update={"metadata": metadata, **update, "id": f"{failure.place + 1} {name}"})


def _passed(results: Sequence[Result], problems: Counter[str]) -> bool | None:
    """Return whether no result missed; None if that is undecided, or one could not be measured."""
    errors = [result for result in results if result.status == "not_measured"]
    for result in errors:
        problems[shortened(f"{result.metric}: {result.error}")] += 1
    if errors or not any(result.score is not None for result in results):
        return None
    statuses = {result.status for result in results}
    return False if "missed" in statuses else None if "undecided" in statuses else True
