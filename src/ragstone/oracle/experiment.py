"""Ask and judge failures of a run again: as the application is, and with an oracle's passages, answers, or both."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ragstone.applications import Application
from ragstone.blocking import run_blocking
from ragstone.errors import BadOption
from ragstone.findings.clusters import clusters
from ragstone.findings.diagnosis.model import CaseDiagnosis, Diagnosis
from ragstone.findings.diagnosis.worth import (
    BY_PASSAGES,
    ArmOutcomes,
    MeasuredWorth,
    arm_rates,
    cause_gains,
    shapley_parts,
)
from ragstone.judges import JudgeLike
from ragstone.options import APP_CONCURRENCY, APP_TIMEOUT
from ragstone.oracle.arms import judge_arms
from ragstone.oracle.asking import ask_all
from ragstone.oracle.oracle_material import MeasurableFailure, oracle_material
from ragstone.stats.hash_sampling import hash_uniform

APP_CALLS = 200
"""Default limit on calls of the application; each failure takes two."""

_CALLS_PER_CASE = 2


def measure_worth(
    diagnosis: Diagnosis,
    application: str | Callable[..., Any],
    *,
    app_calls: int = APP_CALLS,
    app_concurrency: int = APP_CONCURRENCY,
    judge: str | JudgeLike | None = None,
    **options: Any,  # noqa: ANN401  (those of `evaluate`)
) -> Diagnosis:
    """Return the diagnosis with the gain of fixing each cause, measured with the application that was evaluated.

    The failures are a random sample of those that are caused by the retriever or the generator and for which an oracle
    has passages and an answer. The application is asked each question twice, once to retrieve and once with
    `contexts=`. The answers, and the expected outputs beside both sets of passages, are judged by the run's metrics.

    Args:
        diagnosis: the diagnosis of the run.
        application: `module:function`, or the function; see `Application`.
        app_calls: limit on its calls; each failure takes two.
        app_concurrency: calls of it in flight at once. One that is not async runs in threads.
        judge: a judge or its spec; by default the run's.
        options: options of `evaluate`, such as limits; `offline`, `timeout` and `cache` also apply to calls of the
            application.

    Raises:
        BadOption: the application cannot be called this way, `app_calls` is below 2, or no failure can be measured.
        UsageError: the judge cannot be asked.
    """
    if app_calls < _CALLS_PER_CASE:
        raise BadOption(
            f"app_calls={app_calls} is too low: each missed test case takes {_CALLS_PER_CASE} calls"
        )
    cache = options.get("cache")
    client = Application(
        application,
        timeout=options.get("timeout") or APP_TIMEOUT,
        with_contexts=True,
        cache=cache if isinstance(cache, bool | str | Path) else None,
        offline=bool(options.get("offline")),
    )
    candidates = list(_candidates(diagnosis))
    failures = [_measurable_failure(diagnosis, failure) for failure in candidates]
    measurable = [failure for failure in failures if failure is not None]
    if not measurable:
        raise BadOption(_unmeasurable_message(candidates))
    sample = sorted(measurable, key=lambda failure: hash_uniform("oracle", failure.case.id))[
        : app_calls // _CALLS_PER_CASE
    ]
    problems = Counter[str]()
    try:
        answers = run_blocking(ask_all, client, sample, app_concurrency, problems)
    finally:
        client.close()
    run = diagnosis.report.run.plan
    outcomes = judge_arms(answers, run.metrics, run.judge if judge is None else judge, problems, **options)
    worth = MeasuredWorth(
        application=client.name,
        measured=len(outcomes),
        measurable=len(measurable),
        left_out=len(candidates) - len(measurable),
        called=client.called,
        cached=client.cached,
        errors=tuple(problems.most_common()),
        **_figures(diagnosis, outcomes),
    )
    return replace(diagnosis, measured=worth)


def _candidates(diagnosis: Diagnosis) -> Iterable[CaseDiagnosis]:
    owners = {*BY_PASSAGES, "generator"}
    return (case for case in diagnosis.missed if case.cause is not None and case.cause.owner in owners)


def _measurable_failure(diagnosis: Diagnosis, case: CaseDiagnosis) -> MeasurableFailure | None:
    oracle = oracle_material(case.case)
    if oracle is None or case.cause is None:
        return None
    groups = clusters([case.case], diagnosis.cluster)
    return MeasurableFailure(case.place, case.case, case.cause.name, oracle, groups[0] if groups else None)


def _unmeasurable_message(candidates: Sequence[CaseDiagnosis]) -> str:
    if not candidates:
        return "no test case missed because of the retriever or the generator: there is nothing to measure"
    return (
        f"none of the {len(candidates)} failures of retriever and generator has an expected output and passages that "
        "contain it: give test cases expected_output and context"
    )


def _figures(diagnosis: Diagnosis, outcomes: Sequence[ArmOutcomes]) -> dict[str, Any]:
    counts = {share.cause: share.count for share in diagnosis.shares}
    retriever, generator = shapley_parts(outcomes)
    return {
        "gains": cause_gains(outcomes, counts, diagnosis.decided, diagnosis.passed_of_decided),
        "rates": arm_rates(outcomes) if outcomes else None,
        "retriever": retriever,
        "generator": generator,
    }
