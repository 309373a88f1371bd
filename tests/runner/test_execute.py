import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from ragstone import TestCase, aevaluate
from ragstone.datasets import BadRow
from ragstone.errors import ProviderError
from ragstone.event import (
    Event,
    MeasurementFinished,
    MeasurementStarted,
    RowRejected,
    RunFinished,
    RunStarted,
)
from ragstone.judges import Judge, Reply, ScriptedJudge
from ragstone.metrics import AnswerRelevancy, ExactMatch, FactualCorrectness, Faithfulness, Metric, Score
from ragstone.prompts import (
    Claims,
    Decisions,
    ExtractClaims,
    ExtractStatements,
    ExtractTruths,
    JudgeClaims,
    Prompt,
    Truth,
    Truths,
)
from ragstone.result import Result, Usage
from ragstone.run import Plan, Run
from ragstone.runner import execute

pytestmark = pytest.mark.anyio


def case(number: int, **fields: Any) -> TestCase:
    return TestCase(input=f"question {number}", actual_output=f"answer {number}", id=str(number), **fields)


async def run(
    rows: Any, metrics: list[Metric], judge: Any, heard: list[Event] | None = None, **plan: Any
) -> list[Result]:
    heard = [] if heard is None else heard
    specs = tuple(map(repr, metrics))
    await execute(
        Run.begin(Plan(metrics=specs, judge=judge.name, **plan)), rows, metrics, judge, heard.append
    )
    measured = [event for event in heard if isinstance(event, MeasurementFinished)]
    return [
        event.result for event in sorted(measured, key=lambda event: (event.case_index, event.metric_index))
    ]


class CountingJudge(Judge):
    """Answers faithfulness' prompts after a while; counts the calls in flight."""

    @property
    def name(self) -> str:
        return "fake"

    def __init__(self, delay: float = 0.0) -> None:
        self.delay = delay
        self.calls = self.flying = self.peak = 0

    async def ask(self, prompt: Prompt[Any]) -> Reply[Any]:
        self.calls += 1
        self.flying += 1
        self.peak = max(self.peak, self.flying)
        await asyncio.sleep(self.delay)
        self.flying -= 1
        match prompt:
            case ExtractClaims(text=text):
                return Reply(Claims(claims=(text,)), Usage(calls=1))
            case ExtractTruths():
                return Reply(Truths(truths=(Truth(fact="t"),)), Usage(calls=1))
            case JudgeClaims():
                return Reply(Decisions.of("yes"), Usage(calls=1))
            case _:
                raise NotImplementedError(prompt)


async def test_events_are_emitted_in_order() -> None:
    heard: list[Event] = []
    cases = [case(number, expected_output=f"answer {number % 2}") for number in range(2)]
    results = await run(cases, [ExactMatch()], ScriptedJudge(), heard)
    assert isinstance(heard[0], RunStarted)
    measured = [event for event in heard[1:-1] if isinstance(event, MeasurementStarted | MeasurementFinished)]
    assert len(measured) == len(heard) - 2
    for index in range(2):
        story = [type(event) for event in measured if event.case_index == index]
        assert story == [MeasurementStarted, MeasurementFinished]
    assert [result.score for result in results] == [1.0, 1.0]
    assert isinstance(heard[-1], RunFinished)
    assert heard[-1].complete


async def test_the_limit_counts_judge_calls() -> None:
    judge = CountingJudge(delay=0.01)
    cases = [case(number, retrieval_context=["p"]) for number in range(20)]
    results = await run(cases, [Faithfulness(evidence="truths")], judge, concurrency=4)
    assert judge.peak == 4
    assert all(result.score == 1.0 for result in results)
    assert judge.calls == 20 + 1 + 20  # the truths of equal passages are asked once


async def test_a_failing_judge_becomes_an_error_never_a_number() -> None:
    judge = ScriptedJudge().respond(ExtractStatements, ProviderError("openai: 500", status=500))
    (result,) = await run([case(1)], [AnswerRelevancy()], judge)
    assert result.score is None
    assert not result.success
    assert result.error == "ProviderError: openai: 500"
    assert result.case_id == "1"


async def test_a_metric_of_the_users_own_that_raises_does_not_stop_the_others() -> None:
    @dataclass(frozen=True, kw_only=True, repr=False)
    class Broken(Metric):
        needs = ("input",)

        async def assess(self, case: TestCase, ctx: object) -> Score:  # noqa: ARG002  (the base names it)
            raise ZeroDivisionError(case.input)

    cases = [case(number, expected_output="x") for number in range(3)]
    results = await run(cases, [Broken(), ExactMatch()], ScriptedJudge())
    assert [result.error for result in results[::2]] == [f"ZeroDivisionError: question {n}" for n in range(3)]
    assert [result.score for result in results[1::2]] == [0.0, 0.0, 0.0]


async def test_a_measurement_that_takes_too_long_ends() -> None:
    (late,) = await run(
        [case(1, retrieval_context=["p"])],
        [Faithfulness()],
        CountingJudge(delay=30),
        timeout=1,
        measurement_timeout=0.05,
    )
    assert late.error == "TimedOut: not measured within 0.05 s"


async def test_a_missing_field_is_an_error_or_a_skip() -> None:
    (failed,) = await run([case(1)], [Faithfulness()], CountingJudge())
    assert failed.error is not None
    assert failed.error.startswith("MissingField: Faithfulness needs 'retrieval_context'")
    (skipped,) = await run([case(1)], [Faithfulness()], CountingJudge(), on_missing="skip")
    assert skipped.skipped
    assert skipped.error is None
    (optional,) = await run([case(1)], [Faithfulness()], CountingJudge(), optional=("faithfulness",))
    assert optional.skipped


async def test_calls_with_unreadable_answers_are_counted() -> None:
    judge = ScriptedJudge().respond(ExtractStatements, {"nothing": 1})
    (result,) = await run([case(1)], [AnswerRelevancy()], judge)
    assert result.error is not None
    assert result.usage.calls == 3


async def test_bad_row_is_reported_and_the_others_run() -> None:
    heard: list[Event] = []
    bad = BadRow("data.jsonl", "line 2", "no JSON.", "Write one object.")
    rows = [case(0, expected_output="x"), bad, case(2, expected_output="x")]
    results = await run(rows, [ExactMatch()], ScriptedJudge(), heard)
    assert [result.case_id for result in results] == ["0", "2"]
    assert [event.message for event in heard if isinstance(event, RowRejected)] == [str(bad)]


async def test_a_stream_is_read_no_further_than_needed() -> None:
    drawn: list[int] = []
    done: list[int] = []

    def rows() -> Iterator[TestCase]:
        for number in range(200):
            drawn.append(number)
            assert len(drawn) - len(done) <= 4 + 1
            yield case(number, retrieval_context=["p"])

    def emit(event: Event) -> None:
        if isinstance(event, MeasurementFinished):
            done.append(event.case_index)

    plan = Plan(metrics=("faithfulness",), judge="fake", concurrency=4)
    await execute(Run.begin(plan), rows(), [Faithfulness()], CountingJudge(), emit)
    assert len(done) == 200


async def test_cancelled_run_emits_incomplete_and_leaves_no_tasks() -> None:
    heard: list[Event] = []
    judge, before = CountingJudge(delay=30), asyncio.all_tasks()
    task = asyncio.create_task(run([case(1, retrieval_context=["p"])], [Faithfulness()], judge, heard))
    while not judge.calls:  # noqa: ASYNC110  (a plain number)
        await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert isinstance(heard[-1], RunFinished)
    assert not heard[-1].complete
    assert asyncio.all_tasks() == before


async def test_not_applicable_measurement_is_skipped_with_a_reason() -> None:
    judge = ScriptedJudge().respond(ExtractClaims, {"claims": []})
    rows = [case(1, expected_output="e")]
    (result,) = await run(rows, [FactualCorrectness(mode="precision")], judge)
    assert (result.status, result.score, result.error) == ("skipped", None, None)
    assert result.reason is not None
    assert "makes no claim" in result.reason
    assert result.usage.calls == 1


async def test_metric_without_judge_calls_yields_to_other_tasks() -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(count())
    cases = [TestCase(input="q", actual_output="a", expected_output="a") for _ in range(200)]
    await aevaluate(cases, ["exact_match"], concurrency=1)
    other.cancel()
    assert turns >= len(cases)
