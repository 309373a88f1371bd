"""The repeated measurements of critical test cases that broke: of new answers of the application, or of the same."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ragstone.case import APPLICATION_ERROR
from ragstone.cli._evaluation import measure
from ragstone.cli._exit_codes import print_message
from ragstone.findings import Report
from ragstone.findings.comparison import RunComparison
from ragstone.findings.gate.critical import cases_to_recheck
from ragstone.metrics.base.selection import parse_metrics
from ragstone.result import Result
from ragstone.runner.answering import QUESTION

_NOT_REPEATED = frozenset(
    {"metrics", "resume", "retry_failed", "limit", "name", "listeners", "details", "app_repeats"}
)
"""Arguments of the run that the second measurement omits."""


def recheck(
    comparison: RunComparison, repeats: int, arguments: dict[str, Any], application: str | None
) -> Report | None:
    """Measure the critical cases that broke again, `repeats` times; None if none broke, or if it is not asked for.

    An `application` is asked for a new answer each time; without one the same answer is judged again.
    """
    broken = cases_to_recheck(comparison)
    run_repeats = comparison.after.run.plan.repeats > 1
    if not broken or not repeats or (run_repeats and application is None):
        return None
    specs = dict.fromkeys(spec for specs in broken.values() for spec in specs)
    cases = [case for case in comparison.after.cases if case.id in broken]
    options = {name: value for name, value in arguments.items() if name not in _NOT_REPEATED}
    # Metrics that the new answers cannot feed are left out. A cached answer would be counted again.
    options |= {"preset": parse_metrics(specs), "store": False}
    options["cache"] = arguments["cache"] if arguments.get("offline") else False
    if application is None:
        return measure(cases, quiet=True, **options | {"app": None, "repeats": repeats}).report
    options |= {"app": application, "app_repeats": repeats, "repeats": 1}
    measured = measure(cases, quiet=True, **options).report
    return None if measured is None else _joined(measured)


def _joined(measured: Report) -> Report | None:
    """Return one result for each question and metric, with the scores of its answers as repeats; None without any."""
    problems = Counter(
        str(case.metadata[APPLICATION_ERROR]) for case in measured.cases if APPLICATION_ERROR in case.metadata
    )
    for problem, times in problems.items():
        print_message(f"the application failed in {times} of {len(measured.cases)} calls: {problem}")
    if problems.total() == len(measured.cases):
        return None
    by_case: dict[str, dict[str, list[Result]]] = {}
    for answer, result in measured.flat():
        if APPLICATION_ERROR not in answer.metadata:
            question = str(answer.metadata.get(QUESTION, answer.id))
            by_case.setdefault(question, {}).setdefault(result.spec, []).append(result)
    answers = {str(case.metadata.get(QUESTION, case.id)): case for case in measured.cases}
    return replace(
        measured,
        cases=[answers[name].model_copy(update={"id": name}) for name in by_case],
        results=[[_with_repeats(results) for results in by_spec.values()] for by_spec in by_case.values()],
    )


def _with_repeats(results: Sequence[Result]) -> Result:
    repeats = [{"score": result.score} for result in results]
    return results[0].model_copy(update={"metadata": {"repeats": repeats}})
