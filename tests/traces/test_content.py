"""Whatever stands in the attributes of a span, reading it raises nothing."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.testing.for_each import for_each
from tests.traces.otlp_requests import TRACE
from tests.traces.rag_traces import CONVENTIONS, rag_request

from ragstone import TestCase
from ragstone.traces import Span, SpanEvent, parse_request
from ragstone.traces.cases import TraceOptions, UnreadableTrace, trace_cases
from ragstone.traces.content import read_content
from ragstone.traces.formats import read_object
from ragstone.traces.shapes.messages import read_messages

SPANS = [span for name in CONVENTIONS for span in parse_request(rag_request(name)).spans]
NAMES = sorted(
    {name for span in SPANS for name in span.attributes}
    | {"input.value", "events", "final_result", "gcp.vertex.agent.llm_request", "ai.response.toolCalls"}
    | {"annotations.0.annotation.name", "langfuse.scores", "mlflow.assessments", "langsmith.outputs"}
    | {"gen_ai.tool.name", "gen_ai.tool.call.result", "retrieval.documents", "llm.input_messages"}
)
EVENTS = ["gen_ai.choice", "gen_ai.user.message", "db.query.result", "gen_ai.evaluation.result"]
WORDS = [
    "role",
    "content",
    "parts",
    "type",
    "text",
    "messages",
    "documents",
    "user",
    "tool_call",
    "id",
    "message",
]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.sampled_from(WORDS)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=5,
)
ATTRIBUTES = st.dictionaries(st.sampled_from(NAMES), VALUES | VALUES.map(json.dumps), max_size=3)
KINDS = st.sampled_from([span.attributes for span in SPANS])


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(KINDS, ATTRIBUTES, st.sampled_from(EVENTS), VALUES, st.integers(0, 4)),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from(["trace", "session", "span:s0"]),
)
def test_arbitrary_span_attributes_do_not_raise(told: list[tuple[Any, ...]], unit: str) -> None:
    spans = [
        Span(
            TRACE,
            f"{number:016x}",
            f"{parent:016x}",
            f"s{number}",
            number,
            number + parent,
            attributes={**usual, **more},
            events=(SpanEvent(event, number, body=body),),
        )
        for number, (usual, more, event, body, parent) in enumerate(told)
    ]
    for case in trace_cases(spans, TraceOptions(unit)):
        assert isinstance(case, TestCase | UnreadableTrace)
        if isinstance(case, TestCase):
            json.dumps(case.metadata, allow_nan=False)


def test_messages_are_read_from_each_attribute_convention() -> None:
    def said(**attributes: Any) -> tuple[list[str], list[str]]:
        told = {name.replace("__", "."): value for name, value in attributes.items()}
        content = read_content(Span(TRACE, "1" * 16, attributes={"gen_ai.operation.name": "chat", **told}))
        return (
            [f"{message.role}: {message.text}" for message in content.input_messages],
            [f"{message.role}: {message.text}" for message in content.output_messages],
        )

    assert said(
        gcp__vertex__agent__llm_request=json.dumps(
            {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}
        ),
        gcp__vertex__agent__llm_response=json.dumps(
            {"content": {"role": "model", "parts": [{"text": "Yes"}]}}
        ),
    ) == (["user: Hi"], ["assistant: Yes"])
    events = [{"event.name": "gen_ai.user.message", "content": "Hi", "role": "user"}]
    answer = {"event.name": "gen_ai.choice", "index": 0, "message": {"role": "assistant", "content": "Yes"}}
    assert said(events=json.dumps([*events, answer])) == (["user: Hi"], ["assistant: Yes"])
    anthropic = {
        "system": "Be kind.",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
    }
    reply = {
        "role": "assistant",
        "content": [{"type": "thinking", "thinking": "…"}, {"type": "text", "text": "Yes"}],
    }
    assert said(
        langfuse__observation__type="generation",
        langfuse__observation__input=json.dumps(anthropic),
        langfuse__observation__output=json.dumps(reply),
    ) == (["system: Be kind.", "user: Hi"], ["assistant: Yes"])
    responses = {
        "output": [
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes"}]}
        ]
    }
    assert said(
        mlflow__spanType='"CHAT_MODEL"',
        mlflow__spanInputs=json.dumps({"instructions": "Be kind.", "input": "Hi"}),
        mlflow__spanOutputs=json.dumps(responses),
    ) == (["system: Be kind.", "user: Hi"], ["assistant: Yes"])


@for_each("identifier", ["HumanMessage", {"a": 1}, True, 7, [], ["langchain", "schema", "HumanMessage"]])
def test_a_serialized_message_may_have_any_id(identifier: Any) -> None:
    message = {"type": "constructor", "id": identifier, "kwargs": {"content": "Hi"}}
    (found,) = read_messages([message])
    assert (found.text, found.role == "user") == ("Hi", isinstance(identifier, list) and bool(identifier))


@pytest.mark.parametrize(
    "name",
    [
        "input.value",
        "output.value",
        "gen_ai.input.messages",
        "mlflow.spanInputs",
        "traceloop.entity.output",
        "metadata",
    ],
)
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"messages":', "}"), ('[{"output":', "}]")])
@for_each("levels", [60, 300, 950, 5_000])
def test_values_of_any_depth_are_read(name: str, opening: str, closing: str, levels: int) -> None:
    nested = f"{opening * levels}[]{closing * levels}"
    span = Span(TRACE, "1" * 16, attributes={"openinference.span.kind": "LLM", name: nested})
    assert read_content(span) is not None


def test_a_flattened_name_of_very_many_parts_is_ignored() -> None:
    names = {f"llm.output_messages.{'.' * 3_000}content": "x", "llm.output_messages.0.message.content": "Yes"}
    span = Span(TRACE, "1" * 16, attributes={"openinference.span.kind": "LLM", **names})
    assert [message.text for message in read_content(span).output_messages] == ["Yes"]


@for_each("levels", [20, 500, 900])
def test_an_export_that_is_nested_deeply_is_reported(levels: int) -> None:
    nested: Any = "What?"
    for _ in range(levels):
        nested = {"input": nested}
    times = {"startTime": "2026-01-01T00:00:00Z", "endTime": "2026-01-01T00:00:01Z"}
    records = read_object({"id": "1", "traceId": "2", "type": "SPAN", "input": nested, **times})
    assert records is not None
    (found,) = records
    assert isinstance(found, str) == (levels > 64)
