"""One interaction, recorded by each convention: the same test case; and every decision on the way."""

import copy
import json
import random
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.testing.for_each import for_each
from tests.traces.otlp_requests import TRACE, otlp_span, pairs, request
from tests.traces.rag_traces import ANSWER, CONVENTIONS, IDS, PASSAGES, QUESTION, openinference, rag_request

from ragstone import TestCase
from ragstone.errors import BadOption
from ragstone.traces import Record, parse_request
from ragstone.traces.cases import TraceOptions, UnreadableTrace, trace_cases

OTHER = "6b8efff798038103d269b633813fc60d"


def records_of(sent: dict[str, Any]) -> tuple[Record, ...]:
    parsed = parse_request(sent)
    assert not parsed.problems
    return parsed.records


def only(sent: dict[str, Any], **options: Any) -> TestCase:
    (case,) = trace_cases(records_of(sent), TraceOptions(**options))
    assert isinstance(case, TestCase), case
    return case


@for_each("convention", CONVENTIONS)
def test_each_convention_gives_the_same_test_case(convention: str) -> None:
    case = only(rag_request(convention))
    assert (case.input, case.actual_output, case.id, case.name) == (QUESTION, ANSWER, TRACE, "ask")
    assert case.retrieval_context == (PASSAGES[1], PASSAGES[0])  # in the order of the prompt
    metadata = case.metadata
    assert [item["text"] for item in metadata["trace"]["cut"]] == [PASSAGES[2]]
    assert metadata["tokens"] == {"input": 70, "output": 8}
    assert (metadata["release"], metadata["environment"]) == ("1.4", "production")
    assert metadata["traceparent"] == f"00-{TRACE}-{1:016x}-01"
    assert metadata["latency_ms"] == 5
    if convention != "trulens":
        assert case.retrieved_ids == IDS
        assert metadata["trace"]["cut"][0]["id"] == "d3"
        assert [item["id"] for item in metadata["retrieval_context_details"]] == ["d2", "d1"]
    assert metadata["trace"]["decisions"]["passages"].startswith("contained in the prompt of ")
    assert case.tools_called is None


def test_a_truncated_prompt_names_the_lost_passage() -> None:
    spans = openinference()
    for pair in spans[2]["attributes"]:
        if pair["key"] == "llm.input_messages.0.message.content":
            pair["value"]["stringValue"] = pair["value"]["stringValue"][:130]  # inside of the second passage
    case = only(request(spans))
    assert case.retrieval_context == (PASSAGES[1],)
    lost, never = case.metadata["trace"]["cut"]
    assert (lost["id"], never["id"]) == ("d1", "d3")
    assert 0.1 < lost["share"] < 0.8
    assert never["share"] == 0


def test_without_prompt_all_passages_are_kept_and_marked_assumed() -> None:
    spans = openinference()[:2]
    case = only(request(spans))
    assert case.retrieval_context == PASSAGES
    assert case.metadata["trace"]["decisions"]["passages"] == "assumed: no prompt was recorded"
    assert case.metadata["trace"]["cut"] == []


def test_a_reranker_decides_the_order() -> None:
    root, search, chat, _ = openinference()
    ranked = {
        "openinference.span.kind": "RERANKER",
        "reranker.query": QUESTION,
        "reranker.output_documents.0.document.content": PASSAGES[2],
        "reranker.output_documents.0.document.score": 0.99,
        "reranker.output_documents.1.document.content": PASSAGES[0],
    }
    rerank = otlp_span(9, "rerank", ranked, parent=1, start=26, end=27)
    case = only(request([root, search, rerank, chat]))
    assert case.retrieved_ids == ("d3", "d1", "d2")  # ids of the retriever, order of the reranker
    case = only(request([root, search, rerank]))
    assert case.retrieval_context == (PASSAGES[2], PASSAGES[0])


def test_a_rewritten_query_is_kept_beside_the_question() -> None:
    spans = openinference()
    for pair in spans[1]["attributes"]:
        if pair["key"] == "input.value":
            pair["value"]["stringValue"] = "warranty duration"
    assert only(request(spans)).metadata["trace"]["query"] == "warranty duration"


def test_question_is_taken_from_retriever_when_prompt_holds_passages() -> None:
    _, search, chat, _ = openinference()
    filled = f"Context: {PASSAGES[0]}\nQuestion: {QUESTION}"
    for pair in chat["attributes"]:
        if pair["key"] == "llm.input_messages.1.message.content":
            pair["value"]["stringValue"] = filled
    case = only(request([search, chat]))
    assert case.input == QUESTION
    assert case.metadata["trace"]["decisions"]["question"].endswith("since the model's prompt holds passages")
    assert case.metadata["trace"]["incomplete"]  # the parent of both was never delivered


def test_http_root_span_is_skipped() -> None:
    http = otlp_span(20, "GET /ask", {"http.request.method": "GET"}, start=1, end=90)
    spans = openinference()
    spans[0]["parentSpanId"] = f"{20:016x}"
    case = only(request([http, *spans]))
    assert (case.name, case.input) == ("ask", QUESTION)


def test_tool_spans_give_arguments_outputs_and_errors() -> None:
    root, search, chat, _ = openinference()
    tool = otlp_span(
        5,
        "execute_tool price",
        {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "price",
            "gen_ai.tool.call.arguments": json.dumps({"sku": "L-1"}),
            "gen_ai.tool.call.result": json.dumps({"eur": 30}),
        },
        parent=1,
        start=15,
    )
    broken = otlp_span(
        6,
        "stock",
        {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "stock"},
        parent=1,
        start=16,
        status={"code": 2, "message": "timed out"},
    )
    case = only(request([root, search, broken, chat, tool]))
    assert case.tools_called is not None
    first, second = case.tools_called
    assert (first.name, first.input_parameters, first.output) == ("price", {"sku": "L-1"}, {"eur": 30})
    assert (second.name, second.output, second.error) == ("stock", {"error": "timed out"}, "timed out")


def test_tool_calls_are_read_from_messages_without_tool_spans() -> None:
    called = [
        {"role": "user", "parts": [{"type": "text", "content": "Price?"}]},
        {
            "role": "assistant",
            "parts": [{"type": "tool_call", "id": "c1", "name": "price", "arguments": {"sku": "L-1"}}],
        },
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "result": "30 EUR"}]},
    ]
    reply = [
        {"role": "assistant", "parts": [{"type": "text", "content": "30 euros."}], "finish_reason": "stop"}
    ]
    chat = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m",
        "gen_ai.input.messages": json.dumps(called),
        "gen_ai.output.messages": json.dumps(reply),
    }
    case = only(request([otlp_span(1, "chat m", chat)]))
    assert (case.input, case.actual_output) == ("Price?", "30 euros.")
    assert case.tools_called is not None
    (call,) = case.tools_called
    assert (call.name, call.input_parameters, call.output) == ("price", {"sku": "L-1"}, "30 EUR")


def test_retrieval_tools_option_reads_passages_from_tools() -> None:
    root, _, chat, _ = openinference()
    tool = otlp_span(
        5,
        "lookup",
        {
            "openinference.span.kind": "TOOL",
            "tool.name": "lookup",
            "input.value": json.dumps({"q": "warranty"}),
            "output.value": json.dumps(
                {"results": [{"id": "a", "text": PASSAGES[0]}, {"id": "b", "text": PASSAGES[2]}]}
            ),
        },
        parent=1,
        start=12,
    )
    assert only(request([root, tool, chat])).retrieval_context is None
    case = only(request([root, tool, chat]), retrieval_tools=("lookup",))
    assert case.retrieval_context == (PASSAGES[0],)
    assert [item["id"] for item in case.metadata["trace"]["cut"]] == ["b"]


@for_each(
    "scope, attributes, switch",
    [
        (
            "app",
            {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"},
            "CAPTURE_MESSAGE_CONTENT=SPAN_ONLY",
        ),
        (
            "opentelemetry.instrumentation.openai.v1",
            {"gen_ai.request.model": "m"},
            "TRACELOOP_TRACE_CONTENT=true",
        ),
        (
            "openinference.instrumentation.openai",
            {
                "openinference.span.kind": "LLM",
                "input.value": "__REDACTED__",
                "llm.input_messages.0.message.role": "user",
            },
            "OPENINFERENCE_HIDE_INPUTS",
        ),
    ],
)
def test_missing_content_names_the_capture_setting(
    scope: str, attributes: dict[str, Any], switch: str
) -> None:
    sent = request([otlp_span(1, "chat", attributes)], scope=scope)
    (found,) = trace_cases(records_of(sent))
    assert isinstance(found, UnreadableTrace)
    assert switch in found.instead
    assert found.problem == "there is no question: its 1 spans (1 of models) contain no text of a question."


def test_failed_interaction_has_error_and_no_answer() -> None:
    spans = openinference()[:2]
    spans[0]["attributes"] = pairs({"openinference.span.kind": "CHAIN", "input.value": QUESTION})
    spans[0]["status"] = {"code": 2, "message": "boom"}
    case = only(request(spans))
    assert (case.actual_output, case.metadata["error"]) == (None, "boom")


def test_http_only_traces_give_no_case() -> None:
    assert not list(trace_cases(records_of(request([otlp_span(1, "GET /health", {"http.method": "GET"})]))))


def test_ragstones_own_spans_are_never_evaluated() -> None:
    own = otlp_span(1, "ragstone.judge", {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"})
    assert not list(trace_cases(records_of(request([own], scope="ragstone"))))


def test_unit_by_span_name_gives_a_case_per_span() -> None:
    case = only(request(openinference()), unit="span:ChatCompletion")
    assert (case.id, case.input) == (f"{TRACE}-{3:016x}", QUESTION)
    assert case.actual_output == ANSWER
    with pytest.raises(BadOption, match="unit='span:'"):
        TraceOptions("span:")


def test_a_session_is_a_conversation() -> None:
    def interaction(trace: str, begin: int, question: str, answer: str) -> dict[str, Any]:
        told = {
            "openinference.span.kind": "CHAIN",
            "session.id": "s-1",
            "input.value": question,
            "output.value": answer,
            "tag.tags": ["web"],
        }
        return otlp_span(begin, "ask", told, trace=trace, start=begin)

    second = interaction(OTHER, 50, "And the bulb?", "Not covered.")
    first = interaction(TRACE, 10, QUESTION, ANSWER)
    case = only(request([second, first]), unit="session")
    assert case.turns is not None
    assert [str(turn) for turn in case.turns] == [
        f"user: {QUESTION}",
        f"assistant: {ANSWER}",
        "user: And the bulb?",
        "assistant: Not covered.",
    ]
    assert (case.id, case.input, case.tags) == ("s-1", QUESTION, ("web",))
    assert [item["id"] for item in case.metadata["trace"]["traces"]] == [TRACE, OTHER]


def test_feedback_is_read_from_span_and_linked_carrier_span() -> None:
    spans = openinference()
    spans[0]["attributes"] += pairs(
        {
            "annotations.0.annotation.name": "thumbs",
            "annotations.0.annotation.label": "up",
            "annotations.0.annotation.annotator_kind": "HUMAN",
        }
    )
    told = {
        "openinference.span.kind": "EVALUATOR",
        "evaluations.0.evaluation.name": "faithfulness",
        "evaluations.0.evaluation.score": 0.5,
    }
    link = {"traceId": TRACE, "spanId": f"{1:016x}"}
    carrier = otlp_span(77, "evaluation", told, trace=OTHER, links=[link])
    case = only(request([*spans, carrier]))
    assert [item["name"] for item in case.metadata["feedback"]] == ["faithfulness", "thumbs"] or [
        item["name"] for item in case.metadata["feedback"]
    ] == ["thumbs", "faithfulness"]


def test_users_are_hashed_with_a_salt_or_left_out() -> None:
    spans = openinference()
    spans[0]["attributes"] += pairs({"user.id": "ada@example.org"})
    assert "user" not in only(request(spans)).metadata
    hashed = only(request(spans), user_salt="pepper").metadata["user"]
    assert hashed != only(request(spans), user_salt="salt").metadata["user"]
    assert "ada" not in json.dumps(only(request(spans), user_salt="pepper").metadata)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(sorted(CONVENTIONS)), st.randoms(use_true_random=False), st.integers(1, 4))
def test_cases_do_not_depend_on_order_splitting_or_repetition(
    convention: str, source: random.Random, parts: int
) -> None:
    whole = rag_request(convention)
    spans = whole["resourceSpans"][0]["scopeSpans"][0]["spans"]
    delivered = copy.deepcopy(spans) + [source.choice(spans) for _ in range(3)]
    source.shuffle(delivered)
    requests = [copy.deepcopy(whole) for _ in range(parts)]
    for number, part in enumerate(requests):
        part["resourceSpans"][0]["scopeSpans"][0]["spans"] = delivered[number::parts]
    records = [record for part in requests for record in records_of(part)]
    assert list(trace_cases(records)) == [only(whole)]


@pytest.mark.parametrize("kind", ["CHAIN", "TOOL", "LLM", "RETRIEVER", "EVALUATOR"])
@for_each("nested", [True, False])
def test_work_on_a_long_chain_of_spans_grows_linearly(kind: str, nested: bool) -> None:  # noqa: FBT001
    def calls(count: int) -> int:
        spans = [
            otlp_span(
                number,
                f"span {number}",
                {"openinference.span.kind": kind, "input.value": "q?", "output.value": "a"},
                parent=(number - 1 if nested else 1) or None,
            )
            for number in range(1, count + 1)
        ]
        records = parse_request(request(spans)).records
        counted = 0

        def count_call(*_: Any) -> None:
            nonlocal counted
            counted += 1

        sys.setprofile(count_call)
        try:
            list(trace_cases(records))
        finally:
            sys.setprofile(None)
        return counted

    assert calls(800) < 6 * calls(200)
