"""LlamaIndex: the response of a query engine, a chat engine or an agent, or the nodes of a retriever.

A response contains the answer and its source nodes, not the question: that is passed as an argument.
"""

from functools import partial
from inspect import iscoroutinefunction
from typing import Any, cast

from ragstone.case import TestCase
from ragstone.datasets.frameworks.messages import tool_call
from ragstone.datasets.frameworks.outputs import build_case, passage, retrieved
from ragstone.datasets.rows.row import RowError


def from_llama_index(response: object, **fields: Any) -> TestCase:  # noqa: ANN401  (each field's own type)
    """Return a response of LlamaIndex as a test case.

    `evaluate` reads such responses too, but only this function takes the question.

    Args:
        response: of `query_engine.query`, `chat_engine.chat`, an agent's run; or the nodes of a retriever. A stream is
            read to its end.
        fields: fields of the test case: `input`, the question, and others such as `expected_output`. They override
            what is found in the response.

    Returns:
        Its passages are the source nodes, best first; `retrieved_ids` are the nodes' ids, and
        `metadata["retrieval_context_details"]` holds id, score and metadata of each.

    Raises:
        UnknownName: a test case has no such field.
        BadDataset: `input` is missing, or the response is an asynchronous stream that nobody has read.
    """
    return build_case(partial(row, response), fields, "from_llama_index(response")


def row(response: Any) -> dict[str, Any]:  # noqa: ANN401  (an object of LlamaIndex)
    """Return a response as a row."""
    if isinstance(response, list | tuple):
        return retrieved([_passage(node) for node in cast("list[Any]", response)])
    nodes = [_passage(node) for node in getattr(response, "source_nodes", None) or ()]
    fields = {"actual_output": _text(response), **retrieved(nodes)}
    workflow_calls = map(_workflow_call, getattr(response, "tool_calls", None) or ())
    engine_calls = map(_engine_call, getattr(response, "sources", None) or ())
    tools = [*workflow_calls, *engine_calls]
    return {**fields, "tools_called": tools} if tools else fields


def _text(response: Any) -> str | None:  # noqa: ANN401
    if iscoroutinefunction(getattr(response, "get_response", None)):
        raise RowError("the response is an asynchronous stream.", "Give `await response.get_response()`.")
    if not hasattr(response, "response"):
        return str(response)  # a stream, read to its end
    answer = response.response
    if hasattr(answer, "blocks"):  # an agent answers with a chat message
        return answer.content
    return None if answer is None else str(response)


def _passage(node: Any) -> dict[str, Any]:  # noqa: ANN401
    inner = getattr(node, "node", node)
    return passage(inner.get_content(), inner.node_id, getattr(node, "score", None), dict(inner.metadata))


def _workflow_call(call: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a tool call of an agent's workflow."""
    result = getattr(call, "tool_output", None)
    output = None if result is None else result.content
    error = (output or "error") if getattr(result, "is_error", False) else None
    return tool_call(call.tool_name, call.tool_kwargs, output, error)


def _engine_call(source: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a tool call of a chat engine."""
    arguments = source.raw_input.get("kwargs", source.raw_input)
    error = (source.content or "error") if getattr(source, "is_error", False) else None
    return tool_call(source.tool_name, arguments, source.content, error)
