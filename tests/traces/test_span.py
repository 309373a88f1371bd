"""Records of spans: written and read back, merged whatever their order."""

import json
import random

from hypothesis import given
from hypothesis import strategies as st

from ragstone.traces import Record, Span, SpanEvent, SpanLink, SpanLog, merge_records, record_from_json

SPAN = Span(
    "a" * 32,
    "b" * 16,
    "c" * 16,
    "chat",
    1,
    9,
    "failed",
    {"k": [1, {"x": None}]},
    (SpanEvent("e", 3, {"n": 1}),),
    (SpanLink("d" * 32, "e" * 16),),
    {"service.name": "s"},
    "scope",
)
LOG = SpanLog(SPAN.trace_id, SPAN.span_id, SpanEvent("gen_ai.choice", 5, {}, {"message": {"content": "x"}}))


def test_records_round_trip_through_json() -> None:
    for record in (SPAN, LOG):
        assert record_from_json(json.loads(json.dumps(record.to_json()))) == record


def test_a_log_record_joins_its_span() -> None:
    (merged,) = merge_records([LOG, SPAN])
    assert [event.name for event in merged.events] == ["e", "gen_ai.choice"]


def test_the_version_that_ends_last_wins() -> None:
    late = Span(SPAN.trace_id, SPAN.span_id, end_ns=99, attributes={"answer": "final"})
    assert merge_records([late, SPAN, late]) == merge_records([SPAN, late]) == (late,)


def _records() -> list[Record]:
    spans = [Span("a" * 32, f"{n:016x}", None, f"s{n}", n % 3, n % 5) for n in range(8)]
    logs = [SpanLog("a" * 32, f"{n % 8:016x}", SpanEvent(f"e{n}", n % 2, {"n": n})) for n in range(20)]
    return [*spans, *logs]


@given(st.randoms(use_true_random=False), st.integers(0, 30))
def test_merge_does_not_depend_on_order_or_repetition(source: random.Random, repeated: int) -> None:
    records = _records()
    delivered = records + [source.choice(records) for _ in range(repeated)]
    source.shuffle(delivered)
    assert merge_records(delivered) == merge_records(records)
