"""Feedback in a real store: once each, before its trace or long after, deleted as the trace is."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import update
from tests.store.queue.test_trace_queue import trace

from ragstone.store.queue.feedback import (
    Feedback,
    feedback_on,
    put_feedback,
    read_feedback_values,
    replace_arrived,
    take_back,
)
from ragstone.store.queue.trace_queue import TraceQueue, open_queue
from ragstone.store.schema.tables import FEEDBACK

FIRST = f"{1:032x}"
LIKED = Feedback("user_feedback", FIRST, thumb="up", comment="Thank you.", correction="Three days.")


@pytest.fixture
def queue(store_url: str) -> Iterator[TraceQueue]:
    found = open_queue(store_url)
    yield found
    found.close()


def said(queue: TraceQueue) -> list[tuple[str, str, float | None]]:
    return [(one.name, one.target, one.value) for one in read_feedback_values(queue.engine, 0, 1e12)]


def test_feedback_with_the_same_id_replaces_the_earlier(queue: TraceQueue) -> None:
    assert not put_feedback(queue.engine, LIKED)
    assert put_feedback(queue.engine, LIKED)
    by_ada = replace(LIKED, author="ada", thumb="down")
    put_feedback(queue.engine, replace(LIKED, author="ada"))
    assert put_feedback(queue.engine, by_ada)
    named = replace(LIKED, id="a" * 200, name="n" * 100)
    put_feedback(queue.engine, named)
    assert put_feedback(queue.engine, replace(named, thumb="", score=0.25, comment="x\x00\ud800"))
    assert sorted(value for _, _, value in said(queue) if value is not None) == [0.0, 0.25, 1.0]
    (kept,) = [one for one in feedback_on(queue.engine, FIRST) if one.id == "a" * 200]
    assert (kept.comment, kept.received <= kept.updated) == ("x\ufffd?", True)
    assert take_back(queue.engine, named.known_by)
    assert not take_back(queue.engine, named.known_by)
    assert len(said(queue)) == 2


def test_concurrent_equal_feedback_is_stored_once(queue: TraceQueue) -> None:
    with ThreadPoolExecutor(8) as pool:
        replaced = list(pool.map(lambda _: put_feedback(queue.engine, LIKED), range(24)))
    assert (replaced.count(False), len(said(queue))) == (1, 1)


def test_feedback_is_found_by_trace_span_and_session(queue: TraceQueue) -> None:
    put_feedback(queue.engine, LIKED)
    put_feedback(queue.engine, Feedback("user_feedback", span_id=f"{2:016x}", score=0.5))
    put_feedback(queue.engine, Feedback("user_feedback", session="s1", thumb="down"))
    put_feedback(queue.engine, Feedback("user_feedback", f"{2:032x}", f"{2:016x}", thumb="down"))
    queue.put(trace(1, **{"session.id": "s1"}))
    found = feedback_on(queue.engine, FIRST, [f"{1:016x}", f"{2:016x}"])
    assert {(one.thumb, one.score, one.of_session) for one in found} == {
        ("up", None, False),
        ("", 0.5, False),
        ("down", None, True),
    }
    assert feedback_on(queue.engine, "", [f"{2:016x}"], "another")[0].score == 0.5
    assert "s1" not in str(found)  # of a session only a hash is kept


def test_feedback_of_a_trace_replaces_its_earlier_feedback(queue: TraceQueue) -> None:
    arrived = [replace(LIKED, origin=FIRST, received=5.0), Feedback("thumbs", FIRST, score=0.5, origin=FIRST)]
    for given in (arrived, arrived, arrived[:1]):
        replace_arrived(queue.engine, {FIRST: given})
    put_feedback(queue.engine, LIKED)
    assert len(said(queue)) == 2
    assert len(read_feedback_values(queue.engine, 0, 6)) == 1
    assert not take_back(queue.engine, arrived[0].known_by)  # it is the trace's


def test_feedback_is_deleted_with_its_user(queue: TraceQueue) -> None:
    queue.put(trace(1, **{"session.id": "s1"}))
    queue.put(trace(2))
    for one in (
        LIKED,
        Feedback("user_feedback", span_id=f"{1:016x}", thumb="up"),
        Feedback("user_feedback", session="s1", thumb="up"),
        Feedback("user_feedback", f"{9:032x}", thumb="up", author="u1"),
        Feedback("user_feedback", f"{9:032x}", thumb="up", origin=FIRST),
        Feedback("user_feedback", f"{2:032x}", thumb="down"),
    ):
        put_feedback(queue.engine, one)
    assert queue.delete_user("u1") == 1
    assert said(queue) == [("user_feedback", f"{2:032x}", 0.0)]


def test_retention_deletes_comments_and_keeps_thumbs(queue: TraceQueue) -> None:
    queue.put(trace(1))
    put_feedback(queue.engine, LIKED)
    put_feedback(queue.engine, Feedback("user_feedback", f"{9:032x}", thumb="down", comment="late"))
    with queue.engine.begin() as connection:
        connection.execute(update(FEEDBACK).where(FEEDBACK.c.trace_id != FIRST).values(updated=1.0))
    assert queue.delete_older(3600) == 0
    assert [one.comment for one in feedback_on(queue.engine, f"{9:032x}")] == [""]
    assert [one.comment for one in feedback_on(queue.engine, FIRST)] == ["Thank you."]
    assert queue.delete_older(-1) == 1
    (kept,) = feedback_on(queue.engine, FIRST)
    assert (kept.comment, kept.correction, kept.thumb) == ("", "", "up")
    assert len(said(queue)) == 2
