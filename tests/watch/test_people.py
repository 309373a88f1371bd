"""People judge a random part of what a watch judges: who is drawn, what they say, and what it says of all."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select
from tests.watch.test_worker import answered, plan_of

from ragstone.cli.watch import _figures_line
from ragstone.stats.hash_sampling import hash_uniform
from ragstone.store import Store, Target, open_store
from ragstone.store.queue.scores import read_people_queues, read_window
from ragstone.store.queue.trace_queue import TraceQueue, open_queue
from ragstone.store.schema.tables import RUNS, WATCH_RESULTS
from ragstone.watch.overview import watch_overview
from ragstone.watch.plan import WatchPlan
from ragstone.watch.window import WindowFigures, window_figures
from ragstone.watch.worker import TraceWorker, work

SHARE, COUNT = 0.25, 160
DRAWN = [n for n in range(1, COUNT + 1) if hash_uniform("ragstone", f"{n:032x}") < SHARE]


def judged(queue: TraceQueue, **judge: Any) -> WatchPlan:
    """Judge traces, by two workers at once; every fourth answer fails the pattern."""
    plan = plan_of(judge={"people": SHARE, **judge}, sample={"start": 0.1, "floor": 0.05})
    for number in range(1, COUNT + 1):
        queue.put(answered(number, "yes" if number % 4 else "no"))

    async def both() -> None:
        await asyncio.gather(*(work(TraceWorker(queue, plan), stop=None) for _ in range(2)))

    asyncio.run(both())
    return plan


@pytest.fixture
def queue(store_url: str) -> Iterator[TraceQueue]:
    found = open_queue(store_url)
    yield found
    found.close()


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    found = open_store(store_url)
    yield found
    found.close()


def figures_of(queue: TraceQueue, plan: WatchPlan) -> WindowFigures:
    (found,) = window_figures(queue, plan)
    return found


def places(queue: TraceQueue) -> dict[int, tuple[int, int]]:
    """Trace → run number and case index where people judge it."""
    of = WATCH_RESULTS.c
    query = select(of.trace_id, of.run, of.case_index).where(of.judged_by == "people")
    with queue.engine.connect() as connection:
        return {int(trace, 16): (run, index) for trace, run, index in connection.execute(query)}


def test_cases_drawn_for_people_are_judged_by_the_sample_judge_too(queue: TraceQueue) -> None:
    plan = judged(queue, sample="local")
    assert sorted(places(queue)) == DRAWN
    scores = read_window(queue.engine, plan.name, 0, 1e12)
    by_judge = {
        name: {int(one.unit, 16) for one in scores if one.judged_by == name} for name in ("all", "sample")
    }
    assert by_judge["sample"] >= set(DRAWN)
    assert len(by_judge["all"]) == COUNT
    assert {one.probability for one in scores if one.judged_by == "sample"} == {SHARE}
    (asked,) = read_people_queues(queue.engine, plan.name, 0)
    assert (asked.asked, asked.open) == (len(DRAWN), len(DRAWN))
    found = figures_of(queue, plan)
    assert found.people is not None
    assert (found.people.value, found.people.drawn, found.asked) == (None, 0, len(DRAWN))


@pytest.mark.parametrize("judge", [{}, {"sample": "local"}])
def test_human_annotations_enter_the_estimate(queue: TraceQueue, store: Store, judge: dict[str, str]) -> None:
    plan = judged(queue, **judge)
    for number, (run, index) in places(queue).items():
        good = number % 4 != 0 and number % 9 != 0  # stricter than the pattern
        store.annotations.put(run, index, "ada", "yes" if good else "no")
    found = figures_of(queue, plan)
    assert found.people is not None
    assert (found.people.drawn, found.unsure) == (len(DRAWN), 0)
    assert found.people.value == pytest.approx(
        sum(n % 4 != 0 and n % 9 != 0 for n in DRAWN) / len(DRAWN), abs=0.01
    )
    assert found.people.low is not None
    assert found.people.high is not None
    assert found.people.low < 0.66 < found.people.high  # 106 of 160 are good
    assert f"from {len(DRAWN)} human verdicts" in _figures_line(found)
    overview = watch_overview(queue, plan.name)
    assert [(one.asked, one.open) for one in overview.people] == [(len(DRAWN), 0)]
    assert all(line.progress.done > 0 for line in store.history().lines)
    costs = [run.run.plan.name for run in store.runs()]
    assert "production (people)" in costs


def test_metric_annotations_take_precedence_and_idk_is_not_counted(queue: TraceQueue, store: Store) -> None:
    plan = judged(queue)
    (run, index), (_, other), *_ = places(queue).values()
    spec = "pattern_match(pattern='yes')"
    put = store.annotations.put
    put(run, index, "ada", "no")
    put(run, index, "ben", "yes")
    assert by_people(queue, plan) == [0.5]
    put(run, index, "ada", "yes", target=Target(spec))
    assert by_people(queue, plan) == [1.0]
    put(run, other, "ada", "idk")
    found = figures_of(queue, plan)
    assert (by_people(queue, plan), found.unsure, found.asked) == ([1.0], 1, len(DRAWN))
    for target in (Target(), Target(spec)):
        store.annotations.remove(run, index, "ada", target)
    assert by_people(queue, plan) == [1.0]  # what ben says
    store.annotations.remove(run, index, "ben")
    assert by_people(queue, plan) == []
    put(run, index, "ben", "no", target=Target(spec, 0))  # on a claim: no word on the whole
    assert by_people(queue, plan) == []


def test_human_scores_are_kept_when_texts_are_deleted(queue: TraceQueue, store: Store) -> None:
    plan = judged(queue)
    for run, index in places(queue).values():
        store.annotations.put(run, index, "ada", "yes")
    assert queue.delete_older(-1) == COUNT
    assert by_people(queue, plan) == [1.0] * len(DRAWN)
    assert read_people_queues(queue.engine, plan.name, 0) == []
    with queue.engine.connect() as connection:
        assert "production (people)" in set(connection.execute(select(RUNS.c.name)).scalars())


def by_people(queue: TraceQueue, plan: WatchPlan) -> list[float]:
    scores = read_window(queue.engine, plan.name, 0, 1e12)
    return [one.score for one in scores if one.judged_by == "people" and one.score is not None]
