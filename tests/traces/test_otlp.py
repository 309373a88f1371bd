"""Decoded OTLP requests: every kind of value, both spellings, and what is wrong told, never raised."""

import base64
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.testing.for_each import for_each
from tests.traces.otlp_requests import TRACE, any_value, otlp_span, pairs, request

from ragstone.traces import Span, SpanLog, parse_request
from ragstone.traces.otlp import is_request, read_value

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(PLAIN)
def test_attribute_values_round_trip(value: Any) -> None:
    sent = json.loads(json.dumps(any_value(value)))
    assert read_value(sent) == value


def test_a_span_holds_what_was_sent() -> None:
    sent = otlp_span(
        2,
        "chat",
        {"gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 12},
        parent=1,
        status={"code": 2, "message": "timed out"},
        events=[{"name": "retry", "timeUnixNano": "5", "attributes": pairs({"n": 1})}],
        links=[{"traceId": TRACE.upper(), "spanId": "00f067aa0ba902b7"}],
    )
    (span,) = parse_request(request([sent], {"service.version": "1.2"}, "openai")).spans
    assert (span.trace_id, span.span_id, span.parent_id) == (TRACE, "0" * 15 + "2", "0" * 15 + "1")
    assert (span.name, span.error, span.scope) == ("chat", "timed out", "openai")
    assert span.end_ns - span.start_ns == 5_000_000
    assert span.attributes == {"gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 12}
    assert span.resource == {"service.version": "1.2"}
    assert (span.events[0].name, span.events[0].time_ns, span.events[0].attributes) == ("retry", 5, {"n": 1})
    assert (span.links[0].trace_id, span.links[0].span_id) == (TRACE, "00f067aa0ba902b7")


def test_protobuf_json_spelling_gives_the_same_span() -> None:
    sent = otlp_span(2, "chat", {"a": [1, {"b": True}]}, parent=1)
    renamed = {
        "trace_id": base64.b64encode(bytes.fromhex(sent["traceId"])).decode(),
        "span_id": base64.b64encode(bytes.fromhex(sent["spanId"])).decode(),
        "parent_span_id": base64.b64encode(bytes.fromhex(sent["parentSpanId"])).decode(),
        "name": "chat",
        "start_time_unix_nano": sent["startTimeUnixNano"],
        "end_time_unix_nano": int(sent["endTimeUnixNano"]),
        "attributes": [
            {
                "key": "a",
                "value": {
                    "array_value": {
                        "values": [
                            {"int_value": "1"},
                            {"kvlist_value": {"values": [{"key": "b", "value": {"bool_value": True}}]}},
                        ]
                    }
                },
            }
        ],
    }
    other = {"resource_spans": [{"scope_spans": [{"scope": {"name": "app"}, "spans": [renamed]}]}]}
    assert is_request(other)
    assert parse_request(other).spans == parse_request(request([sent])).spans


def test_log_records_are_read_with_their_span_ids() -> None:
    record = {
        "traceId": TRACE,
        "spanId": "00f067aa0ba902b7",
        "timeUnixNano": "7",
        "eventName": "gen_ai.user.message",
        "body": any_value({"content": "Hello?"}),
    }
    logs = {
        "resourceLogs": [
            {"scopeLogs": [{"logRecords": [record, {"body": {"stringValue": "no span: left out"}}]}]}
        ]
    }
    parsed = parse_request(logs)
    (found,) = parsed.records
    assert isinstance(found, SpanLog)
    assert (found.span_id, found.event.name, found.event.body) == (
        "00f067aa0ba902b7",
        "gen_ai.user.message",
        {"content": "Hello?"},
    )
    assert not parsed.problems


@for_each(
    "span, problem",
    [
        ({"name": "x", "spanId": "00f067aa0ba902b7"}, "span 'x': traceId 'None' is not a valid id"),
        (
            {"name": "x", "traceId": TRACE, "spanId": "0" * 16},
            "span 'x': spanId '0000000000000000' is not a valid id",
        ),
        ({"name": "x", "traceId": 7, "spanId": "y"}, "span 'x': traceId '7' is not a valid id"),
        (["not", "a", "span"], "a span is an object, not list"),
    ],
)
def test_invalid_span_is_a_problem_and_others_are_read(span: Any, problem: str) -> None:
    parsed = parse_request(request([span, otlp_span(1, "good", {})]))
    assert parsed.problems == (problem,)
    assert [found.name for found in parsed.spans] == ["good"]


NAMES = [
    "resourceSpans",
    "scopeSpans",
    "spans",
    "traceId",
    "spanId",
    "attributes",
    "key",
    "value",
    "kvlistValue",
    "values",
    "events",
    "links",
    "status",
    "resource",
    "intValue",
    "scope",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(NAMES),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["resourceSpans", "resourceLogs"]), JSON))
def test_parsing_arbitrary_json_requests_does_not_raise(sent: dict[str, Any]) -> None:
    parsed = parse_request(sent)
    assert all(isinstance(record, Span | SpanLog) for record in parsed.records)


def test_deep_nesting_and_lone_surrogates_are_accepted() -> None:
    value: dict[str, Any] = {"stringValue": "deep"}
    for _ in range(500):
        value = {"arrayValue": {"values": [value]}}
    sent = otlp_span(1, "half \ud83d", {})
    sent["attributes"] = [{"key": "deep", "value": value}]
    (span,) = parse_request(request([sent])).spans
    assert span.name == "half \ufffd"
    assert "deep" not in json.dumps(span.to_json()["attributes"]["deep"])


def test_span_with_ten_thousand_attributes_is_read() -> None:
    (span,) = parse_request(request([otlp_span(1, "x", {f"a{n}": n for n in range(10_000)})])).spans
    assert span.attributes["a9999"] == 9999
