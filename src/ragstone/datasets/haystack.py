"""Haystack: the output of a pipeline, component by component, or one of its answers.

The answers of an `AnswerBuilder` hold question, answer and documents. Without one the replies are those of the last
generator, and the documents those of the only component that returned any, or of the one that is named.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, cast

from ragstone.case import TestCase
from ragstone.datasets.frameworks.messages import tool_call
from ragstone.datasets.frameworks.outputs import build_case, passage, retrieved
from ragstone.datasets.rows.row import RowError

Parts = dict[str, dict[str, Any]]


def from_haystack(output: object, *, documents: str | None = None, **fields: Any) -> TestCase:  # noqa: ANN401  (each field's own type)
    """Return the output of a Haystack pipeline as a test case.

    `evaluate` reads such outputs too, if they contain the question: those of a pipeline with an `AnswerBuilder`.

    Args:
        output: of `pipeline.run`; `include_outputs_from={"retriever"}` keeps the documents in it. Or a
            `GeneratedAnswer`, an `ExtractedAnswer`.
        documents: name of the component whose documents the answer is based on, if several returned documents.
        fields: fields of the test case: `input`, the question, if no answer contains it, and others such as
            `expected_output`. They override what is found in the output.

    Returns:
        Its passages are the documents, best first; `retrieved_ids` are their ids, and
        `metadata["retrieval_context_details"]` holds id, score and meta of each. Of several answers it holds the
        first; `metadata["answers"]` holds the texts of all.

    Raises:
        UnknownName: a test case has no such field.
        BadDataset: `input` is missing, or several components returned documents and none is named.
    """
    return build_case(partial(row, output, documents), fields, "from_haystack(output")


def row(output: Any, documents: str | None = None) -> dict[str, Any]:  # noqa: ANN401  (an object of Haystack)
    """Return an output as a row."""
    if not isinstance(output, Mapping):
        return _answer(output)
    outputs = cast("Mapping[str, Any]", output)  # by component; the output of a single one is treated as one
    parts: Parts = {name: part for name, part in outputs.items() if isinstance(part, dict)}
    parts = parts or {"the component": dict(outputs)}
    answers = [answer for answer in _last_values(parts, "answers") if answer.data is not None]
    fields = _answer(answers[0]) if answers else _reply(parts)
    if documents is not None or "retrieval_context" not in fields:
        fields |= retrieved([_passage(item) for item in _documents(parts, documents)])
    if len(answers) > 1:
        fields["metadata"]["answers"] = [answer.data for answer in answers]
    return fields


def _answer(answer: Any) -> dict[str, Any]:  # noqa: ANN401
    documents = getattr(answer, "documents", None) or [getattr(answer, "document", None)]
    meta = {name: value for name, value in answer.meta.items() if name != "all_messages"}
    score = getattr(answer, "score", None)
    return {
        "input": answer.query,
        "actual_output": answer.data,
        **retrieved([_passage(item) for item in documents if item is not None]),
        "metadata": meta if score is None else {**meta, "score": score},
    }


def _reply(parts: Parts) -> dict[str, Any]:
    messages = _last_values(parts, "messages")  # an agent's
    replies = _last_values(parts, "replies") or messages[-1:]
    if not replies:
        return {"metadata": {}}
    reply = replies[0]
    fields: dict[str, Any] = {
        "actual_output": reply if isinstance(reply, str) else reply.text,
        "metadata": dict(getattr(reply, "meta", {})),
    }
    asked = [message for message in messages if str(getattr(message.role, "value", message.role)) == "user"]
    if asked:
        fields["input"] = asked[-1].text
    results = {result.origin.id: result for message in messages for result in message.tool_call_results}
    calls = [call for message in (messages or replies) for call in getattr(message, "tool_calls", ())]
    if calls:
        fields["tools_called"] = [_tool_call(call, results.get(call.id)) for call in calls]
    return fields


def _tool_call(call: Any, result: Any) -> dict[str, Any]:  # noqa: ANN401
    output = None if result is None else result.result
    error = str(output) if getattr(result, "error", False) else None
    return tool_call(call.tool_name, call.arguments, output, error)


def _last_values(parts: Parts, socket: str) -> list[Any]:
    """Return the values of this output socket from the last component that filled it."""
    for part in reversed(parts.values()):
        if part.get(socket):
            return list(part[socket])
    return []


def _documents(parts: Parts, component: str | None) -> list[Any]:
    by_component: dict[str, list[Any]] = {
        name: list(part["documents"]) for name, part in parts.items() if part.get("documents")
    }
    names = ", ".join(map(repr, by_component)) or "none"
    if component is not None:
        if component not in by_component:
            raise RowError(
                f"the component {component!r} returned no documents; components with documents in the output: {names}.",
                "Run the pipeline with include_outputs_from={" + repr(component) + "}.",
            )
        return by_component[component]
    if len(by_component) > 1:
        first, *_ = by_component
        raise RowError(
            f"{names} each returned documents.",
            f"Name the one that the answer is based on: from_haystack(output, documents={first!r}).",
        )
    return [document for documents in by_component.values() for document in documents]


def _passage(document: Any) -> dict[str, Any]:  # noqa: ANN401
    return passage(document.content or "", document.id, document.score, dict(document.meta))
