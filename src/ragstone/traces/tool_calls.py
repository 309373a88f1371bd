"""The tool calls of a trace: tool spans by start or, without any, the tool calls in messages."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ragstone.traces.shapes.messages import ModelMessage, ModelToolCall
from ragstone.traces.tree import TraceNode, TraceTree


def read_tool_calls(
    tree: TraceTree, nodes: Sequence[TraceNode], models: Sequence[TraceNode]
) -> tuple[list[Mapping[str, Any]], str]:
    """Return the tool calls in order, and a description of their source.

    Args:
        tree: the trace.
        nodes: the spans of one unit of it, by start.
        models: the model spans among them, without those that wrap a model span with a recorded prompt.
    """
    tool_nodes = _without_nested(
        tree, [node for node in nodes if node.kind == "tool" and node.content.tool is not None]
    )
    if tool_nodes:
        return [_span_call(node) for node in tool_nodes], "spans of tools"
    calls: dict[object, ModelToolCall] = {}
    results: dict[str, ModelMessage] = {}
    for node in models:
        messages = (*node.content.input_messages, *node.content.output_messages)
        results |= {message.call_id: message for message in messages if message.call_id}
        calls |= {key: call for key, call in _keyed_calls(messages) if key not in calls}
    entries = [_message_call(call, results.get(call.id) if call.id else None) for call in calls.values()]
    return entries, "tool calls in messages" if entries else ""


def _keyed_calls(messages: Sequence[ModelMessage]) -> Iterator[tuple[object, ModelToolCall]]:
    """Yield the tool calls in one prompt and its answer, each with a key that is the same in other prompts.

    Later prompts repeat the messages of earlier ones. Equal calls without an id are distinguished by a counter.
    """
    counts = Counter[str]()
    for call in (call for message in messages for call in message.calls):
        content = repr((call.name, call.arguments))
        yield call.id or (content, counts[content]), call
        counts[content] += 1


def _without_nested(tree: TraceTree, tool_nodes: Sequence[TraceNode]) -> list[TraceNode]:
    """Return the tool spans without those inside another span of the same call, which two layers recorded."""
    names = Counter(_tool_name(node) for node in tool_nodes)
    nested = {
        inner.span.span_id
        for node in tool_nodes
        if names[_tool_name(node)] > 1
        for inner in tree.below(node)
        if inner is not node and inner.kind == "tool" and _same_call(node, inner)
    }
    return [node for node in tool_nodes if node.span.span_id not in nested]


def _same_call(node: TraceNode, other: TraceNode) -> bool:
    first, second = node.content.tool, other.content.tool
    if first is None or second is None or first.name != second.name:
        return False
    return first.arguments is None or second.arguments is None or first.arguments == second.arguments


def _tool_name(node: TraceNode) -> str:
    return node.content.tool.name if node.content.tool is not None else ""


def _message_call(call: ModelToolCall, result: ModelMessage | None) -> Mapping[str, Any]:
    """Return a tool call in a message, with the output and error of its result."""
    if result is None:
        return _call_fields(call.name, call.arguments, None, {})
    failed = {"error": result.text or "error"} if result.failed else {}
    return _call_fields(call.name, call.arguments, result.text, failed)


def _span_call(node: TraceNode) -> Mapping[str, Any]:
    tool = node.content.tool
    assert tool is not None  # noqa: S101  (the caller selects such spans)
    extra = {"span": node.span.span_id, "error": node.span.error}
    return _call_fields(
        tool.name, tool.arguments, tool.output, {name: value for name, value in extra.items() if value}
    )


def _call_fields(name: str, arguments: Any, output: Any, extra: Mapping[str, Any]) -> Mapping[str, Any]:  # noqa: ANN401
    fits = isinstance(arguments, dict) or arguments is None
    return {
        "name": name,
        "input_parameters": arguments if fits else {"input": arguments},
        "output": output,
        **extra,
    }
