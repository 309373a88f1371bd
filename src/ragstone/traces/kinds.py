"""The kind of operation of a span, by the conventions of instrumentations.

The first rule that matches decides. Their order is that of Langfuse's ingestion, which receives spans of every
emitter.
"""

import re
from collections.abc import Callable
from typing import Any, Literal

from ragstone.traces.shapes.values import parse_json
from ragstone.traces.span import Span

SpanKind = Literal[
    "root", "model", "retrieval", "rerank", "tool", "agent", "embedding", "guardrail", "judge", "other", "unknown"
]  # fmt: skip
"""`root` and `other` are parts of an application; `unknown` has no attribute of a convention, such as HTTP spans."""

_KIND_ATTRIBUTES = (
    "langfuse.observation.type",
    "openinference.span.kind",
    "gen_ai.operation.name",
    "mlflow.spanType",
    "langsmith.span.kind",
)
_OLDER_KIND_ATTRIBUTES = ("ai.observability.span_type", "trulens.span_type")
_WORDS: dict[SpanKind, str] = {
    "root": "workflow invoke_workflow record_root",
    "model": "llm chat chat_model generation generate generate_content completion text_completion",
    "retrieval": "retriever retrieval vector_db_retrieve",
    "rerank": "reranker reranking rerank",
    "tool": "tool execute_tool tool_invocation",
    "agent": "agent invoke_agent create_agent agent_invocation",
    "embedding": "embedding embeddings",
    "guardrail": "guardrail",
    "judge": "evaluator eval eval_root",
}
_KINDS: dict[str, SpanKind] = {word: kind for kind, words in _WORDS.items() for word in words.split()}
"""Word of a convention, in lower case → kind; any other word, such as `chain`, is a part of an application."""

_RETRIEVER_NAME = re.compile(r"Retriever(?:\.task)?$")
"""Names of LlamaIndex retrievers, which OpenLLMetry records only as tasks."""

_VERCEL_KINDS: dict[str, SpanKind] = {
    "ai.generateText": "root",
    "ai.streamText": "root",
    "ai.toolCall": "tool",
}
_SEARCH_EVENTS = ("db.query.result", "db.search.result")
_SIGNS: dict[SpanKind, tuple[str, ...]] = {
    "tool": ("gen_ai.tool.name", "gen_ai.tool.call.id"),
    "model": (
        *("gen_ai.request.model", "gen_ai.response.model"),
        *("llm.model_name", "langfuse.observation.model.name"),
    ),
    "other": (
        *("input.value", "output.value", "langfuse.trace.input"),
        *("mlflow.spanInputs", "traceloop.entity.input"),
    ),
}
"""Kind → attributes of which one is enough, where nothing else tells the kind."""


def kind_of(span: Span) -> SpanKind:
    """Return the kind of a span. Evaluation spans, including those of ragstone, have the kind `judge`."""
    if span.scope == "ragstone" or span.name.startswith("ragstone."):
        return "judge"
    for rule in _RULES:
        kind = rule(span)
        if kind is not None:
            return kind
    return "unknown"


def _by_word(*names: str) -> Callable[[Span], SpanKind | None]:
    """Return a rule that looks up the word in the first of some attributes that is a text."""

    def rule(span: Span) -> SpanKind | None:
        for name in names:
            value = span.attributes.get(name)
            plain = parse_json(value) if isinstance(value, str) and value.startswith('"') else value
            if isinstance(plain, str):
                return _KINDS.get(plain.lower(), "other")
        return None

    return rule


def _traceloop_kind(span: Span) -> SpanKind | None:
    kind, request = span.attributes.get("traceloop.span.kind"), span.attributes.get("llm.request.type")
    if isinstance(kind, str):
        name = str(span.attributes.get("traceloop.entity.name"))
        return "retrieval" if kind == "task" and _RETRIEVER_NAME.search(name) else _KINDS.get(kind, "other")
    return _KINDS.get(request) if isinstance(request, str) else None


def _vector_store_kind(span: Span) -> SpanKind | None:
    searched = any(event.name in _SEARCH_EVENTS for event in span.events)
    return "retrieval" if searched and "db.system" in span.attributes else None


def _vercel_kind(span: Span) -> SpanKind | None:
    operation: Any = span.attributes.get("ai.operationId") or span.attributes.get("operation.name")
    if not isinstance(operation, str) or not operation.startswith("ai."):
        return None
    name = operation.partition(" ")[0]
    if name.endswith((".doGenerate", ".doStream")):
        return "model"
    if name.startswith("ai.embed"):
        return "embedding"
    return _VERCEL_KINDS.get(name, "other")


def _kind_by_sign(span: Span) -> SpanKind | None:
    for kind, names in _SIGNS.items():
        if any(name in span.attributes for name in names):
            return kind
    return None


_RULES: tuple[Callable[[Span], SpanKind | None], ...] = (
    _by_word(*_KIND_ATTRIBUTES),
    _traceloop_kind,
    _vector_store_kind,
    _by_word(*_OLDER_KIND_ATTRIBUTES),
    _vercel_kind,
    _kind_by_sign,
)
