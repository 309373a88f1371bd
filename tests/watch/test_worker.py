"""Workers on a real store: what they judge, once, and what they do where a judge fails."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import func, select, update
from tests.traces.otlp_requests import otlp_span, request

from ragstone.errors import BadOption, ProviderError, UnknownName
from ragstone.judges import Judge
from ragstone.prompts import Prompt
from ragstone.store import open_store
from ragstone.store.queue.scores import read_window
from ragstone.store.queue.settlement import read_state
from ragstone.store.queue.trace_queue import TraceQueue, open_queue
from ragstone.store.schema.tables import RESULTS, TRACES
from ragstone.traces import Record, parse_request
from ragstone.watch.alarms import ALARM, OK, read_alarms
from ragstone.watch.delivery import read_notices
from ragstone.watch.plan import WatchPlan, read_plan
from ragstone.watch.window import window_figures
from ragstone.watch.worker import TraceWorker, work


def answered(number: int, answer: str, **more: Any) -> list[Record]:
    """A trace of OpenInference: a question with its answer."""
    values = {
        "openinference.span.kind": "CHAIN",
        "input.value": f"Question {number}?",
        "output.value": answer,
    }
    return list(
        parse_request(request([otlp_span(1, "answer", values | more, trace=f"{number:032x}")])).records
    )


def plan_of(**parts: Any) -> WatchPlan:
    values: dict[str, Any] = {"metrics": ["pattern_match(pattern='yes')"], "unit": {"settle": 0}, **parts}
    return WatchPlan.model_validate(values)


@pytest.fixture
def queue(store_url: str) -> Iterator[TraceQueue]:
    found = open_queue(store_url)
    yield found
    found.close()


def results(queue: TraceQueue) -> int:
    with queue.engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(RESULTS)).scalar_one()


def test_traces_are_judged_once_by_several_workers_and_stored_as_runs(
    queue: TraceQueue, store_url: str
) -> None:
    for number in range(1, 41):
        queue.put(answered(number, "yes" if number % 4 else "no"))
    queue.put(list(parse_request(request([otlp_span(1, "GET /health", {}, trace="f" * 32)])).records))
    plan = plan_of(judge={"all": "local", "sample": "local"}, sample={"start": 1.0})

    async def both() -> int:
        done = await asyncio.gather(*(work(TraceWorker(queue, plan), stop=None) for _ in range(2)))
        assert sum(one.unreadable for one in done) == 1
        return sum(one.judged for one in done)

    assert asyncio.run(both()) == 40
    assert results(queue) == 80
    (figures,) = window_figures(queue, plan)
    assert (figures.figure.mean, figures.figure.n, figures.figure.passed) == (0.75, 40, 30)
    assert figures.sample is not None
    assert (figures.sample.value, figures.sample.drawn) == (pytest.approx(0.75), 40)
    store = open_store(store_url)
    runs = store.runs()
    assert {run.run.plan.name for run in runs} == {"production (all)", "production (sample)"}
    assert [line.progress.done for line in store.history().lines] == [40, 40]
    assert len(store.results(runs[0])) == 40
    store.close()


def test_late_spans_are_judged_again_and_counted_once(queue: TraceQueue) -> None:
    plan = plan_of(alarm=[{"metric": "pattern_match", "below": 0.5}])
    queue.put(answered(1, "no"))
    asyncio.run(work(TraceWorker(queue, plan), stop=None))
    changed = answered(1, "yes", late="1")
    queue.put(changed)
    assert asyncio.run(work(TraceWorker(queue, plan), stop=None)).judged == 1
    (score,) = read_window(queue.engine, plan.name, 0, 1e12)
    assert score.score is not None
    (alarm,) = read_alarms(plan.alarm, read_state(queue.engine, plan.name))
    assert alarm.known.count == 1


def test_fallen_scores_raise_the_alarm(queue: TraceQueue) -> None:
    plan = plan_of(alarm=[{"metric": "pattern_match", "below": 0.8, "run_length": 1000}])
    statuses: list[str] = []
    for first, answer in ((1, "yes"), (101, "no"), (201, "yes")):
        for number in range(first, first + 100):
            queue.put(answered(number, answer))
        asyncio.run(work(TraceWorker(queue, plan), stop=None))
        (alarm,) = read_alarms(plan.alarm, read_state(queue.engine, plan.name))
        statuses.append(alarm.status)
    assert statuses[:2] == [OK, ALARM]


OUTCOME = "tests.testing.outcome:Outcome"


def test_risen_share_of_a_label_raises_the_alarm(queue: TraceQueue) -> None:
    alarm = {"metric": OUTCOME, "label": "refused", "above": 0.1, "run_length": 1000}
    plan = plan_of(metrics=[OUTCOME], alarm=[alarm])
    lines: list[str] = []
    for first, answer in ((1, "answered"), (101, "refused"), (201, "answered")):
        for number in range(first, first + 100):
            queue.put(answered(number, answer if number % 50 else "?"))
        asyncio.run(work(TraceWorker(queue, plan), stop=None))
        (state,) = read_alarms(plan.alarm, read_state(queue.engine, plan.name))
        lines.append(f"{state.status}: {state.line}")
    assert (
        lines[0]
        == f"ok: the share of refused in {OUTCOME} is not known to be above 10 %: share 0.0 % of 98 labels"
    )
    assert lines[1].startswith(f"alarm: the share of refused in {OUTCOME} has risen above 10 %")
    (notice,) = read_notices(queue, plan)
    assert (notice.content["alarm"], notice.content["label"], notice.content["above"]) == (
        "label",
        "refused",
        0.1,
    )
    assert notice.line.endswith(" labels")
    (figures,) = window_figures(queue, plan)
    shares = figures.figure.shares
    assert shares is not None
    assert [(share.label, share.count) for share in shares.labels] == [("answered", 196), ("refused", 98)]
    assert (figures.figure.n, figures.figure.undecided, figures.figure.mean) == (300, 6, None)


def test_alarm_on_a_label_that_does_not_exist_is_rejected(queue: TraceQueue) -> None:
    alarm = {"metric": OUTCOME, "label": "refusd", "above": 0.1}
    with pytest.raises(UnknownName, match="Did you mean 'refused'"):
        TraceWorker(queue, plan_of(metrics=[OUTCOME], alarm=[alarm]))
    for wrong in ({"label": "refused"}, {"below": 0.5, "label": "refused", "above": 0.1}, {}):
        with pytest.raises(ValidationError, match="write either below"):
            plan_of(alarm=[{"metric": OUTCOME, **wrong}])


class FailingJudge(Judge):
    """A judge that never answers."""

    @property
    def name(self) -> str:
        return "failing"

    async def ask(self, prompt: Prompt[Any]) -> Any:
        raise ProviderError(f"no answer to {type(prompt).__name__}", status=500)


def test_alarm_on_unknown_or_lower_is_better_metric_is_rejected(queue: TraceQueue) -> None:
    with pytest.raises(UnknownName, match="hallucination"):
        TraceWorker(queue, plan_of(alarm=[{"metric": "hallucination", "below": 0.5}]))
    with pytest.raises(BadOption, match="a lower hallucination is better"):
        TraceWorker(
            queue, plan_of(metrics=["hallucination"], alarm=[{"metric": "hallucination", "below": 0.5}])
        )


def test_failing_judge_is_retried_up_to_attempts(queue: TraceQueue) -> None:
    judge = f"{__name__}:FailingJudge"
    plan = plan_of(metrics=["answer_relevancy"], judge={"all": judge, "attempts": 2})
    queue.put(answered(1, "Yes, it is so."))
    assert asyncio.run(TraceWorker(queue, plan).step()).failed == 1
    assert (queue.counts().waiting, results(queue)) == (1, 0)
    with queue.engine.begin() as connection:
        connection.execute(update(TRACES).values(not_before=0.0))
    assert asyncio.run(TraceWorker(queue, plan).step()).failed == 1
    assert (queue.counts().dead, results(queue)) == (1, 1)


def test_deleting_a_user_deletes_results_and_retention_keeps_scores(queue: TraceQueue) -> None:
    plan = plan_of()
    for number in (1, 2):
        queue.put(answered(number, "yes", **{"user.id": f"u{number}"}))
    asyncio.run(work(TraceWorker(queue, plan), stop=None))
    assert queue.delete_user("u1") == 1
    assert (results(queue), len(read_window(queue.engine, plan.name, 0, 1e12))) == (1, 1)
    assert queue.delete_older(-1) == 1
    assert (results(queue), len(read_window(queue.engine, plan.name, 0, 1e12))) == (0, 1)


def test_read_plan_reads_durations_and_rejects_invalid_plans(tmp_path: Path) -> None:
    path = tmp_path / "watch.toml"
    path.write_text('metrics = ["faithfulness"]\nwindow = "2h"\n[keep]\ntext = "30d"\n')
    plan = read_plan(path)
    assert (plan.window, plan.keep.text) == (7200, 30 * 86400)
    for wrong in ("metrics = []", 'metrics = ["x"]\nspeed = 1', "metrics = ["):
        path.write_text(wrong)
        with pytest.raises(BadOption, match=r"watch\.toml"):
            read_plan(path)
