"""The calls of tools in a trace: their order, arguments, errors and repetitions, and what the metrics make of them."""

import json
from typing import Any

from tests.testing.for_each import for_each
from tests.traces.otlp_requests import otlp_span, request
from tests.traces.rag_traces import openinference
from tests.traces.test_cases import only

from ragstone import TestCase, ToolCall, evaluate

EXPECTED = ("search", "price")


def tool(number: int, name: str, start: int, parent: int = 1, **more: Any) -> dict[str, Any]:
    """A span of a tool; `result` and `error` say how it ended."""
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.arguments": json.dumps(more.get("arguments", {"sku": "L-1"})),
    }
    if "result" in more:
        attributes["gen_ai.tool.call.result"] = json.dumps(more["result"])
    span = otlp_span(number, f"execute_tool {name}", attributes, parent=parent, start=start)
    return {**span, "status": {"code": 2, "message": more["error"]}} if "error" in more else span


def agent_case() -> TestCase:
    """An agent that searches, whose first price fails and second does not, and that searches again. Spans come late."""
    root, _, chat, _ = openinference()
    spans = [
        tool(13, "search", 40, arguments={"q": "lamp "}, result=["L-1"]),
        tool(12, "price", 30, result="30 EUR"),
        tool(11, "price", 20, error="timed out"),
        tool(10, "search", 10, arguments={"q": "lamp"}, result=["L-1"]),
    ]
    return only(request([chat, *spans, root]))


def test_tool_calls_follow_span_order_with_arguments_and_errors() -> None:
    calls = agent_case().tools_called
    assert calls is not None
    assert [(call.name, call.error) for call in calls] == [
        ("search", None),
        ("price", "timed out"),
        ("price", None),
        ("search", None),
    ]
    assert calls[0].input_parameters == {"q": "lamp"}
    assert calls[1].output == {"error": "timed out"}


def test_agent_metrics_of_a_worked_trace() -> None:
    """By hand: 1 of 4 failed; 1 of 4 repeats (the retry does not); 2 wasted; both expected calls were made."""
    case = agent_case()
    report = evaluate([case], ["tool_errors", "redundant_calls", "step_efficiency"])
    assert [result.score for result in report.results[0]] == [0.25, 0.25, 0.5]
    expected = case.model_copy(update={"expected_tools": tuple(ToolCall(name=name) for name in EXPECTED)})
    report = evaluate(
        [expected],
        [
            "trajectory_match(mode='superset', arguments='ignore')",
            "trajectory_match(mode='unordered', arguments='ignore')",
            "step_efficiency",
        ],
    )
    assert [result.score for result in report.results[0]] == [1.0, 0.0, 0.5]


def test_call_recorded_by_nested_spans_is_counted_once() -> None:
    root, _, chat, _ = openinference()
    outer = tool(10, "price", 10, result="30 EUR")
    inner = tool(11, "price", 11, parent=10, result="30 EUR")
    again = tool(12, "price", 20, result="30 EUR")
    case = only(request([root, chat, outer, inner, again]))
    assert case.tools_called is not None
    assert len(case.tools_called) == 2
    within = tool(11, "price", 11, parent=10, arguments={"sku": "L-2"}, result="31 EUR")  # another call
    case = only(request([root, chat, outer, within]))
    assert case.tools_called is not None
    assert len(case.tools_called) == 2


def chat_span(number: int, asked: list[Any], reply: list[Any], start: int) -> dict[str, Any]:
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m",
        "gen_ai.input.messages": json.dumps(asked),
        "gen_ai.output.messages": json.dumps(reply),
    }
    return otlp_span(number, "chat m", attributes, start=start)


def test_repeated_message_calls_without_ids_are_counted_correctly() -> None:
    """Each prompt repeats the messages before: the same call twice is two calls, not one and not three."""
    user = {"role": "user", "parts": [{"type": "text", "content": "Price?"}]}
    called = {
        "role": "assistant",
        "parts": [{"type": "tool_call", "name": "price", "arguments": {"sku": "L-1"}}],
    }
    reply = {"role": "assistant", "parts": [{"type": "text", "content": "30 euros."}]}
    spans = [
        chat_span(1, [user], [called], 1),
        chat_span(2, [user, called], [called], 10),
        chat_span(3, [user, called, called], [reply], 20),
    ]
    case = only(request(spans))
    assert case.tools_called is not None
    assert [call.name for call in case.tools_called] == ["price", "price"]


@for_each(
    "result",
    [
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "c1", "is_error": True, "content": "no such lamp"}
        ]},
        {"role": "tool", "tool_call_id": "c1", "status": "error", "content": "no such lamp"},
    ],
)  # fmt: skip
def test_error_result_message_sets_tool_call_error(result: dict[str, Any]) -> None:
    call = {"type": "tool_call", "id": "c1", "name": "price", "arguments": {"sku": "L-9"}}
    user = {"role": "user", "parts": [{"type": "text", "content": "Price?"}]}
    reply = {"role": "assistant", "parts": [{"type": "text", "content": "There is no such lamp."}]}
    case = only(request([chat_span(1, [user, {"role": "assistant", "parts": [call]}, result], [reply], 1)]))
    assert case.tools_called is not None
    (made,) = case.tools_called
    assert (made.output, made.error) == ("no such lamp", "no such lamp")
