"""The repeated measurements of critical test cases that broke: of new answers of the application, or of the same."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio

from ragstone.blocking import run_blocking
from ragstone.case import APPLICATION_ERROR, TestCase
from ragstone.cli._evaluation import measure
from ragstone.cli._exit_codes import print_message
from ragstone.datasets.mapping import parse_columns
from ragstone.findings import Report
from ragstone.findings.comparison import RunComparison
from ragstone.findings.gate.critical import cases_to_recheck
from ragstone.metrics.base.selection import measurable_metrics, parse_metrics
from ragstone.options import APP_CONCURRENCY, APP_TIMEOUT
from ragstone.result import Result

if TYPE_CHECKING:
    from ragstone.applications import Application

_NOT_REPEATED = frozenset(
    {"metrics", "preset", "repeats", "store", "cache", "resume", "limit", "name", "listeners", "app"}
)
"""Arguments of the run that the second measurement omits or sets itself."""


def recheck(
    comparison: RunComparison, repeats: int, arguments: dict[str, Any], application: str | None
) -> Report | None:
    """Measure the critical cases that broke again; None if none broke, or if it is not asked for.

    Args:
        comparison: the comparison with the baseline.
        repeats: how often each case is measured again; 0 for not at all.
        arguments: those of the run.
        application: `module:function` to ask for a new answer each time; None to judge the same answer again.
    """
    broken = cases_to_recheck(comparison)
    run_repeats = comparison.after.run.plan.repeats > 1
    if not broken or not repeats or (run_repeats and application is None):
        return None
    specs = tuple(dict.fromkeys(spec for specs in broken.values() for spec in specs))
    cases = [case for case in comparison.after.cases if case.id in broken]
    options = {name: value for name, value in arguments.items() if name not in _NOT_REPEATED}
    # A cached answer would be counted again.
    options |= {
        "metrics": specs,
        "store": False,
        "cache": arguments["cache"] if arguments.get("offline") else False,
    }
    if application is None:
        return _measured(cases, repeats, options)
    from ragstone.applications import Application, parse_settings  # noqa: PLC0415  (few gates have one)

    client = Application(
        application,
        timeout=arguments.get("app_timeout") or APP_TIMEOUT,
        paths=parse_columns(arguments.get("app_map") or ()),
        settings=parse_settings(arguments.get("app_settings") or ()),
        rpm=arguments.get("app_rpm"),
    )
    at_once = arguments.get("app_concurrency") or APP_CONCURRENCY
    measured = _measured(run_blocking(_answers, client, cases, repeats, at_once), 1, options)
    return None if measured is None else _joined(measured, cases)


def _measured(cases: Sequence[TestCase], repeats: int, options: dict[str, Any]) -> Report | None:
    """Measure the metrics whose fields some of the cases have; None without any."""
    metrics = measurable_metrics((), parse_metrics(options["metrics"]), cases, "error").metrics
    if not cases or not metrics:
        return None
    return measure(cases, quiet=True, repeats=repeats, **options | {"metrics": metrics}).report


async def _answers(
    application: "Application", cases: Sequence[TestCase], repeats: int, at_once: int
) -> list[TestCase]:
    """Ask each question some times; return the cases with the new answers, and ids that tell them apart."""
    answers: dict[tuple[int, int], TestCase] = {}
    problems: Counter[str] = Counter()
    limiter = anyio.CapacityLimiter(at_once)

    async def ask(place: int, number: int) -> None:
        case = cases[place]
        async with limiter:
            found = await application.ask(case)
        problem = found.metadata.get(APPLICATION_ERROR)
        if problem is None:
            answers[place, number] = found.model_copy(update={"id": f"{place}/{number}"})
        else:
            problems[str(problem)] += 1

    async with anyio.create_task_group() as tasks:
        for place in range(len(cases)):
            for number in range(repeats):
                tasks.start_soon(ask, place, number)
    for problem, times in problems.items():
        print_message(f"the application failed in {times} of {len(cases) * repeats} calls: {problem}")
    return [answers[key] for key in sorted(answers)]


def _joined(measured: Report, cases: Sequence[TestCase]) -> Report:
    """Return one result for each case and metric, with the scores of its answers as repeats."""
    by_case: dict[int, dict[str, list[Result]]] = {}
    for answer, result in measured.flat():
        place = int(answer.id.partition("/")[0])
        by_case.setdefault(place, {}).setdefault(result.spec, []).append(result)
    places = sorted(by_case)
    return replace(
        measured,
        cases=[cases[place] for place in places],
        results=[[_with_repeats(results) for results in by_case[place].values()] for place in places],
    )


def _with_repeats(results: Sequence[Result]) -> Result:
    repeats = [{"score": result.score} for result in results]
    return results[0].model_copy(update={"metadata": {"repeats": repeats}})
