"""Content of a span: the recorded part of an interaction, read from any supported convention."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from ragstone.traces.conventions import (
    gen_ai,
    langfuse,
    langsmith,
    mlflow,
    openinference,
    traceloop,
    trulens,
    vercel,
)
from ragstone.traces.kinds import SpanKind, kind_of
from ragstone.traces.shapes.documents import TracedDocument
from ragstone.traces.shapes.messages import ModelMessage, last_text
from ragstone.traces.shapes.values import first_text
from ragstone.traces.span import Span

Reader = Callable[[Span, SpanKind], dict[str, Any]]

_OPENINFERENCE_WORDS = [
    "openinference",
    "llm",
    "input",
    "output",
    "retrieval",
    "reranker",
    "annotations",
    "evaluations",
    "trace",
    "session",
    "user",
    "tag",
    "tool",
]
_CONVENTIONS: dict[str, tuple[tuple[str, ...], Reader]] = {
    "langfuse": (("langfuse.",), langfuse.read),
    "openinference": (tuple(f"{word}." for word in _OPENINFERENCE_WORDS), openinference.read),
    "opentelemetry": (("gen_ai.", "events", "all_messages_events", "tool_", "gcp."), gen_ai.read),
    "mlflow": (("mlflow.",), mlflow.read),
    "langsmith": (("langsmith.",), langsmith.read),
    "openllmetry": (("traceloop.", "db.", "llm.usage."), traceloop.read),
    "trulens": (("ai.observability.", "trulens."), trulens.read),
    "vercel": (("ai.", "pydantic_ai.", "final_result", "gcp."), vercel.read),
}
"""Convention → the prefixes of its attributes and its reader. The first reader that returns a field wins."""

_CONVENTION_PREFIXES = (
    ("langfuse.", "langfuse"),
    ("openinference.", "openinference"),
    ("mlflow.", "mlflow"),
    ("langsmith.", "langsmith"),
    ("traceloop.", "openllmetry"),
    ("ai.observability.", "trulens"),
    ("trulens.", "trulens"),
    ("ai.operationId", "vercel"),
    ("gen_ai.", "opentelemetry"),
)


@dataclass(frozen=True, slots=True)
class ToolInvocation:
    """An execution of a tool.

    Attributes:
        name: name of the tool.
        arguments: arguments of the call.
        output: return value of the call.
        id: id of the tool call; None if not recorded.
        datastore: whether the tool was declared as a datastore.
    """

    name: str
    arguments: Any = None
    output: Any = None
    id: str | None = None
    datastore: bool = False


@dataclass(frozen=True, slots=True)
class SpanContent:
    """Content of a span. Fields that were not recorded are None or empty.

    Attributes:
        kind: the kind of operation.
        convention: convention of the attributes: `opentelemetry`, `openinference`, `openllmetry`, `langfuse`,
            `mlflow`, `langsmith`, `trulens`, `vercel`; empty without one.
        input: the question, as recorded for the whole span or as the last user message.
        output: the answer, as recorded for the whole span or as the last assistant message.
        input_messages: the prompt of a model.
        output_messages: the answer of a model.
        query: the query of a retriever.
        documents: the documents that a retriever or reranker returned, best first.
        tool: the execution of a tool.
        tokens: the recorded token counts among `input`, `output`, `cached` and `total`.
        cost: US dollars.
        model: name of the model.
        response_id: the provider's id of the answer.
        session: id of the conversation.
        user: id of the user.
        tags: labels.
        environment: the deployment environment, such as `production`.
        release: version of the application.
        expected_output: the ideal answer.
        item: id of the dataset item that was run.
        feedback: recorded scores, each with `name`, `target`, and any of `score`, `label`, `explanation`.
    """

    kind: SpanKind
    convention: str = ""
    input: str | None = None
    output: str | None = None
    input_messages: tuple[ModelMessage, ...] = ()
    output_messages: tuple[ModelMessage, ...] = ()
    query: str | None = None
    documents: tuple[TracedDocument, ...] = ()
    tool: ToolInvocation | None = None
    tokens: Mapping[str, int] = field(default_factory=dict[str, int])
    cost: float | None = None
    model: str | None = None
    response_id: str | None = None
    session: str | None = None
    user: str | None = None
    tags: tuple[str, ...] = ()
    environment: str | None = None
    release: str | None = None
    expected_output: str | None = None
    item: str | None = None
    feedback: tuple[Mapping[str, Any], ...] = ()


def read_content(span: Span) -> SpanContent:
    """Return the content of a span."""
    kind = kind_of(span)
    fields: dict[str, Any] = {}
    for prefixes, reader in _CONVENTIONS.values():
        if not _has_prefix(span, prefixes):
            continue
        for name, value in reader(span, kind).items():
            if name in {"tokens", "tool"} and isinstance(value, dict):
                valid = {key: item for key, item in cast("dict[str, Any]", value).items() if item is not None}
                fields[name] = {**valid, **fields.get(name, {})}
            elif fields.get(name) in (None, ()):
                fields[name] = value
    return SpanContent(**{**fields, **_derived_fields(fields, kind, span)})


def _derived_fields(fields: Mapping[str, Any], kind: SpanKind, span: Span) -> dict[str, Any]:
    """Return the fields that are derived from others or read from the resource."""
    resource = span.resource
    environment = first_text(resource, "deployment.environment.name", "deployment.environment")
    tool = cast("dict[str, Any]", fields.get("tool"))
    return {
        "kind": kind,
        "convention": next(
            (name for prefix, name in _CONVENTION_PREFIXES if _has_prefix(span, (prefix,))), ""
        ),
        "input": fields.get("input") or last_text(fields.get("input_messages") or (), "user"),
        "output": fields.get("output") or last_text(fields.get("output_messages") or (), "assistant"),
        "tool": ToolInvocation(**tool) if tool else None,
        "environment": fields.get("environment") or environment,
        "release": fields.get("release") or first_text(resource, "service.version", "langfuse.release"),
    }


def _has_prefix(span: Span, prefixes: tuple[str, ...]) -> bool:
    return any(name.startswith(prefixes) for name in span.attributes) or any(
        event.name.startswith(prefixes) for event in span.events
    )
