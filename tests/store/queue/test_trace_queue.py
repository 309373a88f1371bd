import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.traces.otlp_requests import otlp_span, request

from ragstone.errors import StoreError
from ragstone.store.queue.claims import CompletionRule, end_claims
from ragstone.store.queue.group_commit import GroupCommit, _WaitingBatch
from ragstone.store.queue.intake import record_batch
from ragstone.store.queue.trace_queue import QueueCounts, TraceQueue, open_queue
from ragstone.traces import Record, parse_request
from ragstone.traces.redaction import Redaction

AT_ONCE = CompletionRule(settle=0, patience=1000)


def trace(number: int, **more: object) -> list[Record]:
    """A root and a child."""
    of = f"{number:032x}"
    spans = [
        otlp_span(1, "answer", {"user.id": f"u{number % 2}", "input.value": "q?", **more}, trace=of),
        otlp_span(2, "model", {"gen_ai.request.model": "m"}, parent=1, trace=of),
    ]
    return list(parse_request(request(spans)).records)


@pytest.fixture
def queue(store_url: str) -> Iterator[TraceQueue]:
    found = open_queue(store_url)
    yield found
    found.close()


def test_record_sent_twice_is_stored_once(queue: TraceQueue) -> None:
    first = queue.put(trace(1) + trace(2))
    again = queue.put(trace(2) + trace(1))
    assert (first.stored, first.repeated) == (4, 0)
    assert (again.stored, again.repeated, again.reopened) == (0, 4, 0)
    assert queue.counts().waiting == 2


def test_trace_is_claimed_once_when_complete(queue: TraceQueue) -> None:
    root, child = trace(1)
    queue.put([child])
    assert queue.claim(5, AT_ONCE) == ()
    queue.put([root])
    assert queue.claim(5, CompletionRule(settle=30)) == ()
    (claimed,) = queue.claim(5, AT_ONCE)
    assert {record.span_id for record in claimed.records} == {root.span_id, child.span_id}
    assert queue.claim(5, AT_ONCE) == ()


def test_trace_without_root_is_claimed_after_patience(queue: TraceQueue) -> None:
    queue.put(trace(1)[1:])
    assert len(queue.claim(5, CompletionRule(settle=0, patience=0))) == 1


def test_claim_with_expired_lease_cannot_be_ended(queue: TraceQueue) -> None:
    queue.put(trace(1))
    (late,) = queue.claim(1, AT_ONCE, duration=-1)
    (mine,) = queue.claim(1, AT_ONCE)
    assert mine.attempts == 2
    with queue.engine.begin() as connection:
        assert end_claims(connection, [late]) == ()
        assert end_claims(connection, [mine]) == (mine,)
    assert queue.counts().judged == 1


def test_new_records_void_a_claim_and_reopen_a_judged_trace(queue: TraceQueue) -> None:
    root, child = trace(1)
    queue.put([root])
    (claimed,) = queue.claim(1, AT_ONCE)
    queue.put([child])
    with queue.engine.begin() as connection:
        assert end_claims(connection, [claimed]) == ()
    (claimed,) = queue.claim(1, AT_ONCE)
    with queue.engine.begin() as connection:
        assert end_claims(connection, [claimed]) == (claimed,)
    late = trace(1, late="yes")
    assert queue.put(late).reopened == 1
    (claimed,) = queue.claim(1, AT_ONCE)
    assert claimed.revision == 2


def test_a_retry_waits_and_a_dead_trace_can_be_revived(queue: TraceQueue) -> None:
    queue.put(trace(1))
    claimed = queue.claim(1, AT_ONCE)
    queue.retry(claimed, pause=60, error="the judge is away")
    assert queue.claim(1, AT_ONCE) == ()
    queue.retry(claimed, pause=0, error="not ours any more")
    assert queue.claim(1, AT_ONCE) == ()
    queue.put(trace(2))
    claimed = queue.claim(1, AT_ONCE)
    with queue.engine.begin() as connection:
        end_claims(connection, claimed, dead=True, error="five times in vain")
    assert queue.counts().dead == 1
    assert queue.revive() == 1
    assert len(queue.claim(5, AT_ONCE)) == 1


def test_users_and_old_traces_are_deleted(queue: TraceQueue) -> None:
    for number in range(6):
        queue.put(trace(number + 1))
    assert queue.delete_user("u1") == 3
    assert queue.delete_user("u1") == 0
    assert queue.counts().waiting == 3
    assert queue.delete_older(3600) == 0
    assert queue.delete_older(-1) == 3
    assert queue.counts() == QueueCounts(0, 0, 0, 0)


def test_redacted_text_is_not_stored(store_url: str) -> None:
    queue = open_queue(store_url, Redaction(("email",), lambda text: text.replace("Ada", "[name]")))
    queue.put(trace(1, told="Ada: ada@example.org"))
    (claimed,) = queue.claim(1, AT_ONCE)
    assert "ada@example.org" not in repr(claimed)
    assert "[name]: [email]" in repr(claimed)
    queue.close()


ALL = [record for number in range(1, 5) for record in trace(number)]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), cuts=st.lists(st.integers(0, 12), max_size=4))
def test_claims_do_not_depend_on_order_or_repetition_of_records(
    tmp_path_factory: pytest.TempPathFactory, seed: int, cuts: list[int]
) -> None:
    chance = random.Random(seed)
    sent = ALL + chance.choices(ALL, k=4)
    chance.shuffle(sent)
    queue = open_queue(tmp_path_factory.mktemp("queue") / "runs.sqlite3")
    edges = [0, *sorted(cuts), len(sent)]
    for start, end in pairwise(edges):
        queue.put(sent[start:end])
    claimed = {one.trace_id: one for one in queue.claim(10, AT_ONCE)}
    queue.close()
    expected = {of: {r.span_id for r in ALL if r.trace_id == of} for of in {r.trace_id for r in ALL}}
    assert {of: {r.span_id for r in one.records} for of, one in claimed.items()} == expected
    assert {one.count for one in claimed.values()} == {2}


def test_concurrent_puts_are_counted_separately(queue: TraceQueue) -> None:
    sent = [trace(number + 1) for number in range(60)]
    with ThreadPoolExecutor(12) as pool:
        counts = [*pool.map(queue.put, [*sent, *sent])]
    assert sum(one.stored for one in counts) == sum(map(len, sent))
    assert sum(one.repeated for one in counts) == sum(map(len, sent))
    assert queue.counts().waiting == 60


def test_failing_batch_does_not_affect_others_in_its_commit(queue: TraceQueue) -> None:
    good, bad = record_batch(((one, one) for one in trace(1)), None), record_batch([], None)
    broken = replace(bad, rows={("t", "d"): {"trace_id": "t", "digest": None, "body": "{}"}})
    commits = GroupCommit(queue.engine)
    waiting = [_WaitingBatch(good), _WaitingBatch(broken)]
    commits._write_batches(waiting)  # what a thread does that finds two batches
    assert waiting[0].counts is not None
    assert waiting[0].counts.stored == len(trace(1))
    assert waiting[1].problem is not None
    with pytest.raises(StoreError, match="cannot accept traces now"):
        commits.put(broken)


def test_record_over_the_size_limit_is_left_out_and_reported(queue: TraceQueue) -> None:
    found = queue.put(trace(1), largest=10)
    assert (found.stored, len(found.large), queue.counts().waiting) == (0, len(trace(1)), 0)
    assert "the maximum is 1e-05 MB" in found.large[0]
