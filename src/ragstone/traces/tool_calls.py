"""The tool calls of a trace: tool spans by start or, without any, the tool calls in messages."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ragstone.traces.shapes.messages import ModelMessage, ModelToolCall
from ragstone.traces.shapes.values import known
from ragstone.traces.tree import TraceNode, TraceTree

_NONE, _ANY = "", "any"
"""In place of the arguments of a call as JSON: it has none; any."""


def read_tool_calls(
    tree: TraceTree, nodes: Sequence[TraceNode], models: Sequence[TraceNode]
) -> tuple[list[Mapping[str, Any]], str]:
    """Return the tool calls in order, and a description of their source.

    `nodes` are the spans of one unit of the trace, by start; `models` those of models among them, without those that
    wrap a model span with a recorded prompt.
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
    """Return the tool spans without those inside another span of the same call, which two layers recorded.

    Two spans are of the same call if their tools have the same name, and their arguments are equal or one has none.
    """
    names = Counter(_tool_name(node) for node in tool_nodes)
    repeated = {node.span.span_id: node for node in tool_nodes if names[_tool_name(node)] > 1}
    if not repeated:
        return list(tool_nodes)
    nested: set[str] = set()
    above = Counter[tuple[str, str]]()  # the calls around a span: name and arguments, or name and ANY
    for node, begins in tree.walk():
        if node.span.span_id not in repeated:
            continue
        name, arguments = _call_key(node)
        same = (_ANY,) if arguments == _NONE else (arguments, _NONE)
        if begins and any(above[name, other] for other in same):
            nested.add(node.span.span_id)
        change = 1 if begins else -1
        above[name, arguments] += change
        above[name, _ANY] += change
    return [node for node in tool_nodes if node.span.span_id not in nested]


def _call_key(node: TraceNode) -> tuple[str, str]:
    """Return name and arguments of the call of a tool span; `_NONE` for arguments that were not recorded."""
    arguments = node.content.tool.arguments if node.content.tool else None
    text = _NONE if arguments is None else json.dumps(arguments, sort_keys=True, default=str)
    return _tool_name(node), text


def _tool_name(node: TraceNode) -> str:
    return node.content.tool.name if node.content.tool else ""


def _message_call(call: ModelToolCall, result: ModelMessage | None) -> Mapping[str, Any]:
    if result is None:
        return _call_fields(call.name, call.arguments, None, {})
    failed = {"error": result.text or "error"} if result.failed else {}
    return _call_fields(call.name, call.arguments, result.text, failed)


def _span_call(node: TraceNode) -> Mapping[str, Any]:
    tool = node.content.tool
    assert tool is not None  # noqa: S101  (the caller selects such spans)
    extra = known(span=node.span.span_id or None, error=node.span.error or None)
    return _call_fields(tool.name, tool.arguments, tool.output, extra)


def _call_fields(name: str, arguments: Any, output: Any, extra: Mapping[str, Any]) -> Mapping[str, Any]:  # noqa: ANN401
    fits = isinstance(arguments, dict) or arguments is None
    return {
        "name": name,
        "input_parameters": arguments if fits else {"input": arguments},
        "output": output,
        **extra,
    }
