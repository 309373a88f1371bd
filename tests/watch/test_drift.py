"""Drift of users' questions on a real store: a new topic is found and named, the same ones are not; coverage."""

import asyncio
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from benchmarks.causes.support_questions import TOPICS, support_case
from sqlalchemy import update
from tests.watch.test_worker import answered, plan_of

from ragstone.store.queue.trace_queue import TraceQueue, open_queue
from ragstone.store.schema.tables import WATCH_RESULTS
from ragstone.watch.alarms import ALARM, OK
from ragstone.watch.checks import make_checks
from ragstone.watch.delivery import read_notices
from ragstone.watch.drift import compare_questions, find_drift, read_drift, set_coverage
from ragstone.watch.worker import TraceWorker, work

USUAL = [topic for topic in TOPICS if topic != "careers"]


@pytest.fixture
def queue(store_url: str) -> Iterator[TraceQueue]:
    found = open_queue(store_url)
    yield found
    found.close()


def questions(count: int, topics: Sequence[str], seed: int) -> list[str]:
    chance = random.Random(seed)
    return [support_case(chance.choice(topics), chance).input for _ in range(count)]


def test_a_new_topic_is_found_and_named_by_its_words() -> None:
    past, current = questions(150, USUAL, 1), questions(110, USUAL, 2) + questions(40, ["careers"], 3)
    p_value, topics = compare_questions(past, current)
    assert p_value is not None
    assert p_value <= 0.001
    grown = [one for one in topics if one.now > one.before]
    assert {word for one in grown for word in one.words} & {
        "jobs",
        "trainee",
        "internship",
        "salary",
        "apply",
    }
    assert all(one.p_value <= 0.05 for one in topics)


def test_no_drift_for_equal_topics_or_too_few_questions() -> None:
    p_value, topics = compare_questions(questions(150, USUAL, 4), questions(150, USUAL, 5))
    assert p_value is not None
    assert p_value > 0.01
    assert topics == ()
    assert compare_questions(questions(49, USUAL, 4), questions(150, USUAL, 5)) == (None, ())


def test_words_of_fewer_than_three_questions_are_not_shown() -> None:
    past = questions(100, USUAL, 6)
    secret = [f"{text} says Zacharias" for text in questions(2, ["careers"], 7)]
    current = questions(60, USUAL, 8) + questions(38, ["careers"], 9) + secret
    _, topics = compare_questions(past, current)
    assert topics
    assert not any("zacharias" in word for one in topics for word in one.words)


def test_set_coverage_gives_share_and_missing_topics() -> None:
    own = questions(80, USUAL, 10)
    covered = set_coverage(own, questions(100, USUAL, 11))
    part = set_coverage(own, questions(60, USUAL, 12) + questions(40, ["careers"], 13))
    assert covered is not None
    assert part is not None
    assert covered.share > 0.85
    assert part.low < part.share < part.high < covered.share
    assert any({"jobs", "trainee", "internship", "salary"} & {*words} for words, _ in part.missing)
    assert set_coverage(own[:19], questions(100, USUAL, 11)) is set_coverage(own, own[:49]) is None


def test_drift_is_reported_once_and_deleted_with_its_user(queue: TraceQueue, tmp_path: Path) -> None:
    test_set = tmp_path / "set.jsonl"
    test_set.write_text("\n".join(json.dumps({"input": text}) for text in questions(40, USUAL, 14)))
    plan = plan_of(window="1d", drift={"reference": "7d", "test_set": str(test_set)})
    past, current = questions(60, USUAL, 15), questions(60, ["careers"], 16)
    for number, text in enumerate([*past, *current], 1):
        queue.put(answered(number, "yes", **{"input.value": text, "user.id": "ada"}))
    asyncio.run(work(TraceWorker(queue, plan), stop=None))
    assert read_drift(queue, plan) is None
    too_few = find_drift(queue, plan)
    assert too_few is not None
    assert (too_few.p_value, too_few.status, too_few.n) == (None, OK, 120)
    older = WATCH_RESULTS.c.trace_id.in_([f"{number:032x}" for number in range(1, 61)])
    with queue.engine.begin() as connection:
        connection.execute(
            update(WATCH_RESULTS).where(older).values(received=WATCH_RESULTS.c.received - 90_000)
        )
    assert asyncio.run(make_checks(queue, plan)) == []
    found = read_drift(queue, plan)
    assert found is not None
    assert (found.status, found.n, found.before, found.changes) == (ALARM, 60, 60, 1)
    assert found.coverage is not None
    assert found.coverage.share < 0.5
    assert found.coverage.line.startswith(f"the test set covers {found.coverage.share:.0%} (")
    assert "missing topics: " in found.coverage.line
    (notice,) = read_notices(queue, plan)
    assert (notice.content["alarm"], notice.content["status"]) == ("drift", ALARM)
    assert not any(text in json.dumps(notice.content) for text in current)
    queue.delete_user("ada")
    assert read_drift(queue, plan) is None
