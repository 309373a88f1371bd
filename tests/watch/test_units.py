"""What a watch judges: each trace, each session when it is complete, or each span of a name; everything once."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import select, update
from tests.traces.otlp_requests import otlp_span, request
from tests.watch.test_worker import FailingJudge, results

from ragstone import TestCase
from ragstone.judges import MetricContext
from ragstone.metrics import Metric
from ragstone.store.queue.overview import read_trace
from ragstone.store.queue.scores import read_window
from ragstone.store.queue.trace_queue import TraceQueue, open_queue
from ragstone.store.schema.tables import CASES, TRACES, WATCH_RESULTS
from ragstone.traces import Record, parse_request
from ragstone.watch.plan import WatchPlan
from ragstone.watch.window import window_figures
from ragstone.watch.worker import StepCounts, TraceWorker, work


class SaidYes(Metric):
    """Is every reply of a conversation a yes? No judge call."""

    needs = ("turns",)

    def assess(self, case: TestCase, ctx: MetricContext) -> float:
        del ctx
        return float(all(turn.content == "yes" for turn in case.turns or () if turn.role == "assistant"))


def asked(number: int, session: str | None, answer: str = "yes") -> list[Record]:
    """A trace with a question, an answer and perhaps a session; the root says it, and a model below it does not."""
    trace, named = f"{number:032x}", {} if session is None else {"session.id": session}
    values = {
        "openinference.span.kind": "CHAIN",
        "input.value": f"Question {number}?",
        "output.value": answer,
        **named,
    }
    model = {"openinference.span.kind": "LLM", "llm.model_name": "m"}
    spans = [
        otlp_span(1, "answer", values, trace=trace),
        otlp_span(2, "step", model | {"input.value": "a?", "output.value": "yes"}, parent=1, trace=trace),
        otlp_span(3, "step", model | {"input.value": "b?", "output.value": "no"}, parent=1, trace=trace),
    ]
    return list(parse_request(request(spans)).records)


def plan_of(by: str, **parts: Any) -> WatchPlan:
    unit = {"by": by, "settle": 0, "idle": parts.pop("idle", 0), "longest": parts.pop("longest", "1d")}
    metric = f"{__name__}:SaidYes" if by == "session" else "pattern_match(pattern='yes')"
    return WatchPlan.model_validate({"metrics": [metric], "unit": unit, **parts})


def judge(queue: TraceQueue, plan: WatchPlan, workers: int = 1) -> StepCounts:
    async def all_of_them() -> StepCounts:
        done = await asyncio.gather(*(work(TraceWorker(queue, plan), stop=None) for _ in range(workers)))
        return sum(done, StepCounts())

    return asyncio.run(all_of_them())


@pytest.fixture
def queue(store_url: str) -> Iterator[TraceQueue]:
    found = open_queue(store_url)
    yield found
    found.close()


def units(queue: TraceQueue) -> list[str]:
    return sorted(one.unit for one in read_window(queue.engine, "production", 0, 1e12))


def questions(queue: TraceQueue) -> list[str]:
    with queue.engine.connect() as connection:
        return sorted(connection.execute(select(CASES.c.input)).scalars())


def test_a_session_is_judged_once_with_the_turns_of_all_its_traces(queue: TraceQueue) -> None:
    for number in range(1, 13):
        queue.put(asked(number, f"s{number % 3}"))
    queue.put(asked(99, None))
    plan = plan_of("session")
    done = judge(queue, plan, workers=3)
    assert (done.judged, done.late, done.unreadable) == (4, 0, 0)
    assert questions(queue) == ["Question 1?", "Question 2?", "Question 3?", "Question 99?"]
    assert (results(queue), len(units(queue)), len(set(units(queue)))) == (4, 4, 4)
    assert (queue.counts().waiting, queue.counts().judged) == (0, 13)
    assert window_figures(queue, plan)[0].figure.n == 4
    with queue.engine.connect() as connection:
        body = connection.execute(select(CASES.c.body).where(CASES.c.input == "Question 1?")).scalar_one()
    assert [f"Question {n}?" in body for n in (1, 4, 7, 10, 2)] == [True, True, True, True, False]


def test_traces_after_a_judged_session_are_counted_as_late(queue: TraceQueue) -> None:
    plan = plan_of("session")
    queue.put(asked(1, "s"))
    assert judge(queue, plan).judged == 1
    queue.put(asked(2, "s", "no"))
    queue.put(asked(1, "s", "later"))  # another version of the first trace
    done = judge(queue, plan)
    assert (done.judged, done.late, results(queue), len(units(queue))) == (0, 2, 1, 1)
    found = read_trace(queue.engine, f"{2:032x}")
    assert found is not None
    assert (found.state, found.error.startswith("it arrived after its session was judged")) == ("done", True)
    assert found.places.keys() == {"all"}  # of its session


def test_session_is_complete_when_idle_or_longer_than_longest(queue: TraceQueue) -> None:
    queue.put(asked(1, "s"))
    with queue.engine.begin() as connection:
        connection.execute(update(TRACES).values(first_received=1.0, last_received=1.0))
    queue.put(asked(2, "s"))
    assert judge(queue, plan_of("session", idle="30m", longest="99999d")).claimed == 0  # the first one is old
    done = judge(queue, plan_of("session", idle="30m"))
    assert (done.judged, units(queue)) == (1, units(queue)[:1])
    assert queue.counts().judged == 2


def test_session_leased_by_another_worker_is_not_claimed(queue: TraceQueue) -> None:
    for number in (1, 2):
        queue.put(asked(number, "s"))
    with queue.engine.begin() as connection:
        other = update(TRACES).where(TRACES.c.trace_id == f"{2:032x}")
        connection.execute(other.values(lease="another", lease_until=1e12))
    plan = plan_of("session")
    assert judge(queue, plan).claimed == 0
    with queue.engine.begin() as connection:
        connection.execute(update(TRACES).values(lease="", lease_until=0.0))
    assert judge(queue, plan).judged == 1


def test_new_records_void_the_claim_on_a_whole_session(queue: TraceQueue) -> None:
    for number in (1, 2):
        queue.put(asked(number, "s"))
    worker = TraceWorker(queue, plan_of("session"))
    (claim,) = queue.claim(5, worker._rule)
    assert set(claim.counts.values()) == {3}
    queue.put(asked(2, "s", "changed"))
    assert worker._settle([], {}) == 0
    cases = asyncio.run(worker._judge([claim]))
    assert (cases.judged, results(queue), queue.counts().waiting) == (0, 0, 2)
    assert judge(queue, plan_of("session")).judged == 1


def test_a_session_whose_judge_failed_can_be_judged_again(queue: TraceQueue) -> None:
    failing = f"{FailingJudge.__module__}:FailingJudge"
    plan = plan_of("session", metrics=["turn_relevancy"], judge={"all": failing, "attempts": 1})
    queue.put(asked(1, "s"))
    queue.put(asked(2, "s"))
    assert judge(queue, plan).failed == 1
    assert (queue.counts().dead, queue.revive()) == (2, 2)
    done = judge(queue, plan_of("session"))
    (score,) = read_window(queue.engine, "production", 0, 1e12)
    assert (done.judged, score.score) == (1, score.score)
    assert score.score is not None


def test_deleting_a_user_deletes_the_sessions_that_hold_a_trace_of_theirs(queue: TraceQueue) -> None:
    for number, user in ((1, "ada"), (2, "ben"), (3, "ben")):
        (root, *rest) = asked(number, "s" if number < 3 else "t")
        queue.put([*rest, *_with_user(root, user)])
    judge(queue, plan_of("session"))
    assert (queue.delete_user("ada"), questions(queue), len(units(queue))) == (1, ["Question 3?"], 1)


def _with_user(root: Record, user: str) -> list[Record]:
    values = root.to_json()
    return [type(root).from_json({**values, "attributes": {**values["attributes"], "user.id": user}})]


def test_each_named_span_is_judged_once_and_sampled_separately(queue: TraceQueue) -> None:
    for number in range(1, 21):
        queue.put(asked(number, None))
    queue.put(
        list(parse_request(request([otlp_span(1, "other", {"input.value": "q"}, trace="f" * 32)])).records)
    )
    plan = plan_of("span:step", judge={"all": "local", "sample": "local"}, sample={"start": 0.5})
    done = judge(queue, plan, workers=2)
    assert (done.judged, done.claimed, done.unreadable) == (40, 21, 1)
    (figures,) = window_figures(queue, plan)
    assert (figures.figure.mean, figures.figure.n) == (0.5, 40)
    assert figures.sample is not None
    assert 0 < figures.sample.drawn < 40
    every = [one.unit for one in read_window(queue.engine, "production", 0, 1e12) if one.judged_by == "all"]
    assert len(set(every)) == 40
    queue.put(asked(1, None, "late"))  # opens the trace again: its spans replace what they gave before
    assert judge(queue, plan).judged == 2
    assert window_figures(queue, plan)[0].figure.n == 40
    with queue.engine.connect() as connection:
        traces = set(connection.execute(select(WATCH_RESULTS.c.trace_id)).scalars())
    assert len(traces) == 20


def test_invalid_unit_or_window_is_rejected() -> None:
    with pytest.raises(ValidationError, match=r"give trace, session, or span:NAME"):
        plan_of("request")
    with pytest.raises(ValidationError, match=r"window of 10 min 0 s never contains a session"):
        plan_of("session", idle="30m", window="10m")
