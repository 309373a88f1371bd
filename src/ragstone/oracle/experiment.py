"""Ask and judge failures of a run again: as the application is, and with an oracle's passages, answers, or both."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, cast

import anyio

from ragstone.api import evaluate
from ragstone.applications import Application
from ragstone.blocking import run_blocking
from ragstone.case import TestCase
from ragstone.errors import ApplicationError, BadOption
from ragstone.findings.clusters import clusters
from ragstone.findings.diagnosis.causes import CauseName
from ragstone.findings.diagnosis.documents import relevant_names
from ragstone.findings.diagnosis.model import CaseDiagnosis, Diagnosis
from ragstone.findings.diagnosis.worth import (
    BY_PASSAGES,
    ArmOutcomes,
    MeasuredWorth,
    arm_rates,
    cause_gains,
    shapley_parts,
)
from ragstone.findings.printable import one_line
from ragstone.judges import JudgeLike
from ragstone.metrics import parse
from ragstone.options import APP_CONCURRENCY, APP_TIMEOUT
from ragstone.result import Result
from ragstone.stats.hash_sampling import hash_uniform

APP_CALLS = 200
"""Default limit on calls of the application; each failure takes two."""

NO_PASSAGE = "No passage was retrieved."
"""Placeholder for an empty retrieval: without it, metrics would use the test case's own context."""

ARMS = ("real", "passages", "answers", "both")
_ANSWER_FIELDS = ("actual_output", "retrieval_context", "retrieved_ids", "tools_called")
_RETRIEVAL_METADATA = ("trace", "retrieved_deep", "retrieval_context_details")
_TEXT_FIELDS = ("text", "content", "page_content")
_CALLS_PER_CASE, _MAX_ERRORS_BEFORE_ANSWER, _MAX_MESSAGE_LENGTH = 2, 5, 200


class OracleMaterial(NamedTuple):
    """The oracle's passages and answer for one test case."""

    passages: tuple[str, ...]  # the passages that contain the answer
    answer: str  # the expected output


class MeasurableFailure(NamedTuple):
    """A missed test case, with the oracle's passages and answer."""

    place: int  # its place in the run, from 0
    case: TestCase  # the test case
    cause: CauseName
    oracle: OracleMaterial  # the oracle's passages and answer
    group: Hashable = None  # its cluster; None without one


class AnsweredFailure(NamedTuple):
    """A failure with both answers of the application."""

    failure: MeasurableFailure
    real: TestCase  # its answer from the passages that it retrieved
    served: TestCase  # its answer from the oracle's passages


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
    owners = {*BY_PASSAGES, "generator"}
    candidates = [case for case in diagnosis.missed if case.cause is not None and case.cause.owner in owners]
    failures = [_measurable_failure(diagnosis, case) for case in candidates]
    measurable = [failure for failure in failures if failure is not None]
    if not measurable:
        raise BadOption(_unmeasurable_message(candidates))
    ordered = sorted(measurable, key=lambda failure: hash_uniform("oracle", failure.case.id))
    sample = ordered[: app_calls // _CALLS_PER_CASE]
    problems = Counter[str]()
    try:
        answers = run_blocking(ask_all, client, sample, app_concurrency, problems)
    finally:
        client.close()
    run = diagnosis.report.run.plan
    outcomes = judge_arms(answers, run.metrics, run.judge if judge is None else judge, problems, **options)
    counts = {share.cause: share.count for share in diagnosis.shares}
    retriever, generator = shapley_parts(outcomes)
    worth = MeasuredWorth(
        application=client.name,
        gains=cause_gains(outcomes, counts, diagnosis.decided, diagnosis.passed_of_decided),
        rates=arm_rates(outcomes) if outcomes else None,
        retriever=retriever,
        generator=generator,
        measured=len(outcomes),
        measurable=len(measurable),
        left_out=len(candidates) - len(measurable),
        called=client.called,
        cached=client.cached,
        errors=tuple(problems.most_common()),
    )
    return replace(diagnosis, measured=worth)


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


def judge_arms(
    answered: Sequence[AnsweredFailure],
    specs: Sequence[str],
    judge: str | JudgeLike | None,
    problems: Counter[str],
    **options: Any,  # noqa: ANN401  (those of `evaluate`)
) -> list[ArmOutcomes]:
    """Return whether each failure passes in each arm; those that could not be judged in all of them are left out.

    Error messages are counted in `problems`. `options` are those of `evaluate`; nothing is written to a store.
    """
    if not answered:
        return []
    arms = [case for item in answered for case in arm_cases(item)]
    options |= {"preset": [parse(spec) for spec in specs], "judge": judge, "progress": False, "store": False}
    report = evaluate(arms, **options)
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
    best = with_passages | {"retrieval_context": failure.oracle.passages} | ideal
    updates = (as_is, with_passages, as_is | ideal, best)
    for name, update in zip(ARMS, updates, strict=True):
        yield case.model_copy(update={"metadata": metadata, **update, "id": f"{failure.place + 1} {name}"})


def _passed(results: Sequence[Result], problems: Counter[str]) -> bool | None:
    """Return whether no result missed; None if that is undecided, or one could not be measured."""
    errors = [result for result in results if result.status == "not_measured"]
    for result in errors:
        problems[one_line(f"{result.metric}: {result.error}", _MAX_MESSAGE_LENGTH)] += 1
    if errors or not any(result.score is not None for result in results):
        return None
    statuses = {result.status for result in results}
    return False if "missed" in statuses else None if "undecided" in statuses else True


async def ask_all(
    application: Application, failures: Sequence[MeasurableFailure], at_once: int, problems: Counter[str]
) -> list[AnsweredFailure]:
    """Return the application's answers in the order of the failures; failures without both answers are left out.

    After five errors without a single answer, the application is not called again. Messages are counted in `problems`.
    """
    answers: dict[int, AnsweredFailure] = {}
    limiter = anyio.CapacityLimiter(at_once)

    async def ask(failure: MeasurableFailure) -> None:
        async with limiter:
            if not answers and problems.total() >= _MAX_ERRORS_BEFORE_ANSWER:
                return
            try:
                real = await application.answer(failure.case.input)
                served = await application.answer(failure.case.input, failure.oracle.passages)
            except ApplicationError as error:
                problems[one_line(f"application: {error}", _MAX_MESSAGE_LENGTH)] += 1
            else:
                answers[failure.place] = AnsweredFailure(failure, real, served)

    async with anyio.create_task_group() as tasks:
        for failure in failures:
            tasks.start_soon(ask, failure)
    return [answers[failure.place] for failure in failures if failure.place in answers]


def oracle_material(case: TestCase) -> OracleMaterial | None:
    """Return the oracle's passages and answer for a test case.

    None without an expected output, or without a passage known to contain it. The passages are the test case's own
    `context`; else those of its retrieval, or of its deeper ranking (`metadata.retrieved_deep`), whose ids are among
    `relevant_ids`.
    """
    answer = case.get("expected_output")
    passages = tuple(text for text in case.context or () if text.strip()) or tuple(_passages_by_id(case))
    return OracleMaterial(passages, answer) if passages and isinstance(answer, str) else None


def _passages_by_id(case: TestCase) -> Iterable[str]:
    relevant = set(relevant_names(case))
    texts = dict(zip(case.retrieved_ids or (), case.retrieval_context or (), strict=False))
    ranking = case.metadata.get("retrieved_deep")
    for item in cast("Sequence[object]", ranking) if isinstance(ranking, list | tuple) else ():
        if isinstance(item, Mapping):
            fields = cast("Mapping[str, Any]", item)
            text = next((fields[name] for name in _TEXT_FIELDS if isinstance(fields.get(name), str)), "")
            texts.setdefault(str(fields.get("id", "")), text)
    return (text for name, text in texts.items() if name in relevant and text.strip())
