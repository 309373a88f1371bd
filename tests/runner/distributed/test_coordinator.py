"""The driver of a run on several workers, with workers in this very process: they can be killed more exactly here."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from ragstone import TestCase
from ragstone.engine.budget import Budget
from ragstone.engine.context import MetricContext
from ragstone.engine.exchange import key_of
from ragstone.engine.scheduler import PromptScheduler
from ragstone.errors import WorkerLost
from ragstone.event import Event, JudgeCalled, MeasurementFinished, MeasurementStarted, RunFinished
from ragstone.judges import Judge, JudgeLimits, Reply
from ragstone.judges.asking.stored_reply import reply_json
from ragstone.judges.base import limits_of
from ragstone.judges.limits import RateBounds
from ragstone.metrics import AnswerRelevancy, ExactMatch, GEval, Metric, Score
from ragstone.prompts import (
    Decisions,
    DeriveSteps,
    ExtractStatements,
    FormRating,
    JudgeStatements,
    Prompt,
    Statements,
    Steps,
)
from ragstone.result import Result, Usage
from ragstone.run import Plan, Run
from ragstone.runner import execute
from ragstone.runner.distributed.coordinator import Coordinator, SharedServices
from ragstone.runner.distributed.worker import Worker
from ragstone.runner.resume import NEW_RUN, ResumeState
from ragstone.runner.session import run_session
from ragstone.runner.tasks import tasks

pytestmark = pytest.mark.anyio
CASES = [
    TestCase(input=f"q{n}", actual_output=f"a{n}", expected_output=f"a{n % 3}", id=str(n)) for n in range(30)
]
METRICS: tuple[Metric, ...] = (AnswerRelevancy(), ExactMatch(), GEval(name="Fit", criteria="Does it fit?"))


class CountingJudge(Judge):
    """Answers as a model would, and counts."""

    @property
    def name(self) -> str:
        return "fake"

    def __init__(self, limits: JudgeLimits | None = None, price: float = 0.0, delay: float = 0.002) -> None:
        self.limits = limits or JudgeLimits()
        self.each = price
        self.delay = delay
        self.asked: list[Prompt[Any]] = []
        self.flying = self.peak = 0

    def price(self, usage: Usage) -> float:
        return self.each if usage.output_tokens or usage.input_tokens else 0.0

    async def ask(self, prompt: Prompt[Any]) -> Reply[Any]:
        self.asked.append(prompt)
        self.flying += 1
        self.peak = max(self.peak, self.flying)
        await asyncio.sleep(self.delay)
        self.flying -= 1
        answers: dict[type, Callable[[], Any]] = {
            DeriveSteps: lambda: Steps(steps=(f"Look, {len(self.asked)}.",)),
            ExtractStatements: lambda: Statements(statements=("s", "t")),
            JudgeStatements: lambda: Decisions.of("yes", "no"),
        }
        answer = answers[type(prompt)]() if type(prompt) in answers else FormRating(reason="Good.", score=8)
        return Reply(answer, Usage(calls=1, input_tokens=10, output_tokens=2), cost=self.each)


class WorkerChannel:
    """The way to a worker that stands here; it is lost after so many packets, or when it begins a certain test case."""

    def __init__(self, worker: Worker, *, dies_after: int | None = None) -> None:
        self.worker = worker
        self.left = dies_after
        self.gone = False
        self.queue: list[asyncio.Task[None]] = []

    async def begin(self) -> None:
        if self.left == 0:
            raise WorkerLost("stillborn")
        await self.worker.begin()

    async def next_packet(self) -> bytes:
        if self.left is not None:
            self.left -= 1
            if self.left <= 0:
                raise WorkerLost("killed")
        try:
            return await self.worker.next_packet()
        except BaseExceptionGroup as error:
            raise WorkerLost("crashed") from error

    def deliver(self, packet: bytes) -> None:
        if self.gone:
            raise WorkerLost("gone")
        self.queue.append(asyncio.ensure_future(self.worker.deliver(packet)))

    def kill(self) -> None:
        self.gone = True
        self.queue.append(asyncio.ensure_future(self.worker.end()))


class WorkerCrash(BaseException):
    pass


@dataclass(frozen=True, kw_only=True, repr=False)
class CrashingMetric(Metric):
    """Brings its worker down over one test case."""

    needs = ("input",)

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        del ctx
        if case.input == "q3":
            raise WorkerCrash
        return Score(value=1.0, reason="Well.")


async def run(
    judge: CountingJudge,
    metrics: Sequence[Metric] = METRICS,
    *,
    size: int = 3,
    dying: Sequence[int | None] = (),
    heard: list[Event] | None = None,
    past: ResumeState = NEW_RUN,
    flush: Any = None,
    cases: Sequence[TestCase] = CASES,
    **plan: Any,
) -> dict[tuple[int, int], Result]:
    """Work off a plan; the first workers die after so many packets."""
    heard = [] if heard is None else heard
    given = Run.begin(Plan(metrics=tuple(map(repr, metrics)), judge=judge.name, **{"concurrency": 6, **plan}))
    lifetimes = iter(dying)
    limits = limits_of(judge)
    bounds = RateBounds(concurrency=given.plan.concurrency, rpm=given.plan.rpm)
    scheduler = PromptScheduler(judge, bounds=bounds, limits=limits, emit=heard.append, recall=past.recall)

    def spawn() -> WorkerChannel:
        worker = Worker(
            given.plan,
            metrics,
            judge,
            counts_tokens=limits.counts_tokens,
            resumed=past is not NEW_RUN,
        )
        return WorkerChannel(worker, dies_after=next(lifetimes, None))

    with run_session(given, heard.append, None, past) as session:
        services = SharedServices(scheduler, limits, Budget(given.plan.budget), flush)
        work = tasks(cases, metrics, heard.append, past)
        await Coordinator(session, services, work, spawn, size).run()
    await scheduler.close()
    told = Counter(
        (event.case_index, event.metric_index) for event in heard if isinstance(event, MeasurementFinished)
    )
    assert not [place for place, times in told.items() if times > 1]
    return {(e.case_index, e.metric_index): e.result for e in heard if isinstance(e, MeasurementFinished)}


async def alone(judge: CountingJudge, metrics: Sequence[Metric] = METRICS) -> dict[tuple[int, int], Result]:
    heard: list[Event] = []
    await execute(
        Run.begin(Plan(metrics=tuple(map(repr, metrics)), judge="fake")), CASES, metrics, judge, heard.append
    )
    return {(e.case_index, e.metric_index): e.result for e in heard if isinstance(e, MeasurementFinished)}


def told(results: dict[tuple[int, int], Result]) -> list[tuple[Any, ...]]:
    return [(place, r.score, r.reason, r.error, r.case_id, r.judge) for place, r in sorted(results.items())]


async def test_three_workers_find_what_one_process_finds() -> None:
    one, three = CountingJudge(), CountingJudge()
    heard: list[Event] = []
    assert told(await run(three, heard=heard)) == told(await alone(one))
    assert len(three.asked) == len(one.asked)
    assert three.peak <= 6  # for all workers together
    assert sum(isinstance(prompt, DeriveSteps) for prompt in three.asked) == 1
    finished = heard[-1]
    assert isinstance(finished, RunFinished)
    assert finished.complete
    assert sum(isinstance(event, MeasurementStarted) for event in heard) == len(CASES) * len(METRICS)
    assert sum(isinstance(event, JudgeCalled) for event in heard) == len(three.asked)


@pytest.mark.parametrize("packets", [1, 2, 5, 20])
async def test_unfinished_measurements_of_a_lost_worker_are_reassigned(packets: int) -> None:
    one, judge = CountingJudge(), CountingJudge()
    heard: list[Event] = []
    assert told(await run(judge, dying=(packets, packets), heard=heard)) == told(await alone(one))
    assert len(judge.asked) <= len(one.asked) + 2 * 6  # what was in flight at two deaths
    started = Counter((e.case_index, e.metric_index) for e in heard if isinstance(e, MeasurementStarted))
    assert set(started.values()) == {1}
    assert judge.limits._in_flight == 0


async def test_test_case_that_crashes_three_workers_becomes_an_error() -> None:
    results = await run(CountingJudge(), (CrashingMetric(), ExactMatch()), size=2)
    assert sorted(place for place, result in results.items() if result.error) == [(3, 0)]
    assert results[3, 0].error == "WorkerLost: 3 workers were lost during this measurement. The last: crashed"
    assert len(results) == len(CASES) * 2


async def test_workers_that_never_begin_end_the_run() -> None:
    heard: list[Event] = []
    with pytest.raises(WorkerLost, match="stillborn"):
        await run(CountingJudge(), dying=[0] * 20, heard=heard)
    finished = heard[-1]
    assert isinstance(finished, RunFinished)
    assert not finished.complete


async def test_max_cost_is_shared_by_all_workers() -> None:
    judge, heard = CountingJudge(price=0.01), list[Event]()
    results = await run(judge, max_cost=0.2, heard=heard)
    finished = heard[-1]
    assert isinstance(finished, RunFinished)
    assert "of max_cost=$0.2 are spent" in finished.why
    assert len(results) < len(CASES) * len(METRICS)
    assert len(judge.asked) - sum(isinstance(prompt, DeriveSteps) for prompt in judge.asked) <= 20


async def test_resumed_run_does_not_ask_recorded_answers_again() -> None:
    judge = CountingJudge()
    known = key_of(ExtractStatements(input="q7", text="a7"))

    class Before(ResumeState):
        def has(self, case_index: int, metric_index: int, case: TestCase) -> bool:
            return (case_index, metric_index, case.id) == (2, 0, "2")

        def failures(self, case_index: int, metric_index: int) -> int:
            return 2 if (case_index, metric_index) == (4, 0) else 0

        def __init__(self) -> None:
            self.recall = {known: reply_json(Reply(Statements(statements=("s", "t"))))}.get

    heard: list[Event] = []
    results = await run(judge, (AnswerRelevancy(),), past=Before(), heard=heard)
    assert set(results) == {(number, 0) for number in range(len(CASES))} - {(2, 0)}
    assert results[4, 0].metadata["attempts"] == 3
    assert ExtractStatements(input="q7", text="a7") not in judge.asked
    assert sum(event.recorded for event in heard if isinstance(event, JudgeCalled)) == 1


async def test_a_call_counts_as_in_flight_until_its_answer_is_kept() -> None:
    judge = CountingJudge(delay=0.0)
    gate, order = asyncio.Event(), list[int]()

    async def flush() -> None:
        order.append(judge.limits._in_flight)
        gate.set()
        await asyncio.sleep(0.001)

    await run(judge, (AnswerRelevancy(),), flush=flush, concurrency=2, size=1)
    assert min(order) >= 1
    assert judge.peak <= 2


async def test_a_listener_that_fails_ends_the_run() -> None:
    class Full(list[Event]):
        def append(self, event: Event) -> None:
            if isinstance(event, MeasurementFinished):
                raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        await run(CountingJudge(), heard=Full())


async def test_run_without_cases_has_no_results() -> None:
    assert await run(CountingJudge(), cases=()) == {}
