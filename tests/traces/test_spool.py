"""The spool hands records out by trace or session, whatever order they came in."""

import tracemalloc

from ragstone.traces import Span, SpanEvent, SpanLink, SpanLog
from ragstone.traces.spool import RecordSpool

A, B = "a" * 32, "b" * 32


def test_groups_by_trace_in_order_of_start() -> None:
    with RecordSpool() as spool:
        for record in (
            Span(B, "2" * 16, start_ns=1),
            Span(A, "1" * 16, start_ns=5),
            SpanLog(B, "2" * 16, SpanEvent("e")),
            Span(B, "3" * 16, start_ns=9),
        ):
            spool.add(record)
        groups = [[record.trace_id for record in group] for group in spool.groups()]
    assert groups == [[B, B, B], [A]]


def test_groups_by_session() -> None:
    with RecordSpool(by_session=True) as spool:
        spool.add(Span(A, "1" * 16, start_ns=5, attributes={"session.id": "s"}))
        spool.add(Span("c" * 32, "1" * 16, start_ns=3))
        spool.add(Span(B, "2" * 16, start_ns=1, attributes={"gen_ai.conversation.id": "s"}))
        groups = [[record.trace_id for record in group] for group in spool.groups()]
    assert groups == [[B, A], ["c" * 32]]


def test_evaluator_span_is_grouped_with_the_linked_trace() -> None:
    with RecordSpool() as spool:
        spool.add(Span(A, "1" * 16, start_ns=1))
        judge = {"openinference.span.kind": "EVALUATOR"}
        spool.add(Span(B, "2" * 16, start_ns=2, attributes=judge, links=(SpanLink(A, "1" * 16),)))
        groups = [sorted(record.trace_id for record in group) for group in spool.groups()]
    assert groups == [[A, B], [B]]


def test_spooled_records_on_disk_use_little_memory() -> None:
    tracemalloc.start()
    try:
        with RecordSpool(memory=100_000) as spool:
            for number in range(10_000):
                spool.add(Span(f"{number % 2_000:032x}", f"{number:016x}", attributes={"text": "x" * 500}))
            count = sum(len(group) for group in spool.groups())
            peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 10_000
    assert peak < 2_500_000  # 7 MB were written
