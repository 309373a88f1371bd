"""Fields of a test case from a list of chat messages of LangChain or LangGraph: question, answer, tools, passages.

A message is an object of `langchain_core`, a mapping, a pair of role and text, or a bare text, which is the user's.
The answer belongs to the last question: tools called before that question are not part of the interaction.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from ragstone.datasets.rows.cells import parse_mapping

_USER_ROLES = frozenset({"user", "human"})
_ASSISTANT_ROLES = frozenset({"assistant", "ai"})
_MESSAGE_FIELDS = ("content", "tool_calls", "tool_call_id", "artifact", "status")


class ChatMessage(NamedTuple):
    """One message.

    `calls` are its tool calls, each with name, args and id; a tool's result has in `answers` the id of its call, in
    `documents` the artifact beside its text, if that is a list, and `failed` if the call did.
    """

    role: str
    text: str
    calls: Sequence[Mapping[str, Any]] = ()
    answers: str | None = None
    documents: Sequence[Any] = ()
    failed: bool = False


def is_message(value: object) -> bool:
    """Return whether an object is a chat message."""
    return hasattr(value, "content") and hasattr(value, "response_metadata")


def parse_message(message: Any) -> ChatMessage:  # noqa: ANN401  (in any of four forms)
    """Return one message as a `ChatMessage`."""
    if isinstance(message, str):
        return ChatMessage("user", message)
    if isinstance(message, list | tuple):
        role, content = cast("tuple[str, Any]", message)
        return ChatMessage(_role(role), _content_text(content))
    if isinstance(message, Mapping):
        values = cast("Mapping[str, Any]", message)
        inner: Mapping[str, Any] = values.get("kwargs", values)  # as LangChain serialises its objects
        role = inner.get("role") or inner.get("type") or ""
        parts = (inner.get(name) for name in _MESSAGE_FIELDS)
    else:
        role = message.role if hasattr(message, "role") else message.type
        parts = (getattr(message, name, None) for name in _MESSAGE_FIELDS)
    content, calls, answers, artifact, status = parts
    return ChatMessage(
        _role(str(role)),
        _content_text(content),
        tuple(map(_normal_call, calls or ())),
        answers,
        artifact if isinstance(artifact, list) else (),
        status == "error",
    )


def _normal_call(call: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a tool call as LangChain writes it: `name`, `args` and `id`; OpenAI writes the first two in `function`."""
    function = call.get("function")
    if not isinstance(function, Mapping):
        return {**call, "name": call.get("name") or ""}
    inner = cast("Mapping[str, Any]", function)
    arguments = inner.get("arguments")
    args = parse_mapping(arguments) if isinstance(arguments, str) else arguments
    return {"name": inner.get("name") or "", "args": args or {}, "id": call.get("id")}


def interaction_fields(messages: Sequence[ChatMessage]) -> dict[str, Any]:
    """Return the fields of a test case: the last question and what followed it; all turns, if several were asked.

    Documents that a tool returned beside its text are kept unchanged under `documents`.
    """
    question_indices = [number for number, message in enumerate(messages) if message.role == "user"]
    following = messages[question_indices[-1] + 1 :] if question_indices else messages
    answers = [message.text for message in following if message.role == "assistant" and message.text.strip()]
    results: dict[str | None, ChatMessage] = {
        message.answers: message for message in following if message.answers is not None
    }
    fields: dict[str, Any] = {
        "input": messages[question_indices[-1]].text if question_indices else None,
        "actual_output": answers[-1] if answers else None,
        "tools_called": [_call(call, results) for message in following for call in message.calls],
        "turns": _turns(messages) if len(question_indices) > 1 else None,
        "documents": [document for message in following for document in message.documents],
    }
    return {name: value for name, value in fields.items() if value}


def _turns(messages: Sequence[ChatMessage]) -> list[dict[str, str]]:
    turns = [
        message for message in messages if message.role in {"user", "assistant"} and message.text.strip()
    ]
    return [{"role": message.role, "content": message.text} for message in turns]


def _call(call: Mapping[str, Any], results: Mapping[str | None, ChatMessage]) -> dict[str, Any]:
    result = results.get(call.get("id"))
    output = None if result is None else result.text
    failed = result is not None and result.failed
    return tool_call(call["name"], call.get("args") or {}, output, (output or "error") if failed else None)


def tool_call(name: str, arguments: Any, output: object, error: str | None = None) -> dict[str, Any]:  # noqa: ANN401
    """Return a tool call in the form of a row."""
    fields = {"name": name, "input_parameters": dict(arguments), "output": output}
    return {**fields, "error": error} if error is not None else fields


def _role(role: str) -> str:
    role = role.removesuffix("MessageChunk").lower()
    return "user" if role in _USER_ROLES else "assistant" if role in _ASSISTANT_ROLES else role


def _content_text(content: Any) -> str:  # noqa: ANN401  (a text, or blocks of text, images, calls)
    if not isinstance(content, list):
        return str(content or "")
    blocks = cast("list[Any]", content)
    texts = (block if isinstance(block, str) else block.get("text") for block in blocks)
    return "".join(text for text in texts if isinstance(text, str))
