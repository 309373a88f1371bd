"""Content of a span: the recorded part of an interaction, read from any supported convention."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from ragstone.traces.conventions import gen_ai, openinference, vendors
from ragstone.traces.kinds import SpanKind, kind_of
from ragstone.traces.shapes.documents import TracedDocument
from ragstone.traces.shapes.messages import ModelMessage, last_text
from ragstone.traces.shapes.values import first_text
from ragstone.traces.span import Span

Reader = Callable[[Span, SpanKind], dict[str, Any]]

_OPENINFERENCE_WORDS = (
    *("openinference", "llm", "input", "output", "retrieval", "reranker", "annotations", "evaluations"),
    *("trace", "session", "user", "tag", "tool"),
)
_CONVENTIONS: tuple[tuple[tuple[str, ...], Reader], ...] = (
    (("langfuse.",), vendors.read_langfuse),
    (tuple(f"{word}." for word in _OPENINFERENCE_WORDS), openinference.read),
    (("gen_ai.", "events", "all_messages_events", "tool_", "gcp."), gen_ai.read),
    (("mlflow.",), vendors.read_mlflow),
    (("langsmith.",), vendors.read_langsmith),
    (("traceloop.", "db.", "llm.usage."), vendors.read_traceloop),
    (("ai.observability.", "trulens."), vendors.read_trulens),
    (("ai.", "pydantic_ai.", "final_result", "gcp."), vendors.read_vercel),
)
"""The prefixes of a convention's attributes, and its reader. The first reader that returns a field wins."""

_CONVENTION_PREFIXES = {
    "langfuse.": "langfuse",
    "openinference.": "openinference",
    "mlflow.": "mlflow",
    "langsmith.": "langsmith",
    "traceloop.": "openllmetry",
    "ai.observability.": "trulens",
    "trulens.": "trulens",
    "ai.operationId": "vercel",
    "gen_ai.": "opentelemetry",
}
"""Prefix → name of the convention; the first that occurs counts."""


@dataclass(frozen=True, slots=True)
class ToolInvocation:
    """An execution of a tool; `datastore` is whether the tool was declared as a datastore."""

    name: str
    arguments: Any = None
    output: Any = None
    id: str | None = None
    datastore: bool = False


@dataclass(frozen=True, slots=True)
class SpanContent:
    """Content of a span. Fields that were not recorded are None or empty.

    Attributes:
        convention: name of the convention of the attributes; empty without one.
        input: the question, as recorded for the whole span or as the last user message.
        output: the answer, as recorded for the whole span or as the last assistant message.
        documents: the documents that a retriever or reranker returned, best first.
        tokens: the recorded token counts among `input`, `output`, `cached` and `total`.
        cost: US dollars.
        session: id of the conversation.
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
    for prefixes, reader in _CONVENTIONS:
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
            (name for prefix, name in _CONVENTION_PREFIXES.items() if _has_prefix(span, (prefix,))), ""
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
