"""The kind of operation of a span, by the conventions of instrumentations.

The first rule that matches decides. Their order is that of Langfuse's ingestion, which receives spans of every
emitter.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Literal

from ragstone.traces.shapes.values import parse_json
from ragstone.traces.span import Span

SpanKind = Literal[
    "root",
    "model",
    "retrieval",
    "rerank",
    "tool",
    "agent",
    "embedding",
    "guardrail",
    "judge",
    "other",
    "unknown",
]
"""`root` and `other` are parts of an application; `unknown` has no attribute of a convention, such as HTTP spans."""

_LANGFUSE_KINDS: dict[str, SpanKind] = {
    "generation": "model",
    "retriever": "retrieval",
    "tool": "tool",
    "agent": "agent",
    "chain": "other",
    "embedding": "embedding",
    "guardrail": "guardrail",
    "evaluator": "judge",
    "span": "other",
    "event": "other",
}
_OPENINFERENCE_KINDS: dict[str, SpanKind] = {
    "LLM": "model",
    "RETRIEVER": "retrieval",
    "RERANKER": "rerank",
    "TOOL": "tool",
    "AGENT": "agent",
    "CHAIN": "other",
    "EMBEDDING": "embedding",
    "GUARDRAIL": "guardrail",
    "EVALUATOR": "judge",
    "PROMPT": "other",
}
_OPERATION_KINDS: dict[str, SpanKind] = {
    "chat": "model",
    "generate_content": "model",
    "text_completion": "model",
    "completion": "model",
    "generate": "model",
    "retrieval": "retrieval",
    "vector_db_retrieve": "retrieval",
    "execute_tool": "tool",
    "invoke_agent": "agent",
    "create_agent": "agent",
    "invoke_workflow": "root",
    "embeddings": "embedding",
}
_MLFLOW_KINDS: dict[str, SpanKind] = {
    "RETRIEVER": "retrieval",
    "LLM": "model",
    "CHAT_MODEL": "model",
    "TOOL": "tool",
    "AGENT": "agent",
    "CHAIN": "other",
    "EMBEDDING": "embedding",
    "RERANKER": "rerank",
    "GUARDRAIL": "guardrail",
    "EVALUATOR": "judge",
}
_TRACELOOP_KINDS: dict[str, SpanKind] = {
    "workflow": "root",
    "task": "other",
    "agent": "agent",
    "tool": "tool",
}
_RETRIEVER_NAME = re.compile(r"Retriever(?:\.task)?$")
"""Names of LlamaIndex retrievers, which OpenLLMetry records only as tasks."""

_REQUEST_KINDS: dict[str, SpanKind] = {
    "chat": "model",
    "completion": "model",
    "rerank": "rerank",
    "embedding": "embedding",
}
_TRULENS_KINDS: dict[str, SpanKind] = {
    "record_root": "root",
    "retrieval": "retrieval",
    "reranking": "rerank",
    "generation": "model",
    "tool": "tool",
    "tool_invocation": "tool",
    "agent": "agent",
    "agent_invocation": "agent",
    "eval_root": "judge",
    "eval": "judge",
}
_LANGSMITH_KINDS: dict[str, SpanKind] = {
    "llm": "model",
    "chat_model": "model",
    "retriever": "retrieval",
    "tool": "tool",
    "agent": "agent",
    "embedding": "embedding",
    "evaluator": "judge",
}
_VERCEL_KINDS: dict[str, SpanKind] = {
    "ai.generateText": "root",
    "ai.streamText": "root",
    "ai.toolCall": "tool",
}
_SEARCH_EVENTS = ("db.query.result", "db.search.result")
_MODEL_NAMES = (
    "gen_ai.request.model",
    "gen_ai.response.model",
    "llm.model_name",
    "langfuse.observation.model.name",
)


def kind_of(span: Span) -> SpanKind:
    """Return the kind of a span. Evaluation spans, including those of ragstone, have the kind `judge`."""
    if span.scope == "ragstone" or span.name.startswith("ragstone."):
        return "judge"
    for rule in _RULES:
        kind = rule(span)
        if kind is not None:
            return kind
    return "unknown"


def _from_table(name: str, table: Mapping[str, SpanKind]) -> Callable[[Span], SpanKind | None]:
    """Return a rule that looks up an attribute in a table; a value that is not in the table gives `other`."""

    def rule(span: Span) -> SpanKind | None:
        value = span.attributes.get(name)
        if not isinstance(value, str):
            return None
        plain = parse_json(value) if value.startswith('"') else value
        return table.get(plain, "other") if isinstance(plain, str) else None

    return rule


def _traceloop_kind(span: Span) -> SpanKind | None:
    kind, request = span.attributes.get("traceloop.span.kind"), span.attributes.get("llm.request.type")
    if isinstance(kind, str):
        retrieves = kind == "task" and _RETRIEVER_NAME.search(
            str(span.attributes.get("traceloop.entity.name"))
        )
        return "retrieval" if retrieves else _TRACELOOP_KINDS.get(kind, "other")
    return _REQUEST_KINDS.get(request) if isinstance(request, str) else None


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
    return "embedding" if name.startswith("ai.embed") else _VERCEL_KINDS.get(name, "other")


def _tool_kind(span: Span) -> SpanKind | None:
    names = ("gen_ai.tool.name", "gen_ai.tool.call.id")
    return "tool" if any(name in span.attributes for name in names) else None


def _model_kind(span: Span) -> SpanKind | None:
    return "model" if any(name in span.attributes for name in _MODEL_NAMES) else None


def _application_kind(span: Span) -> SpanKind | None:
    """Return `other` for a span with a recorded input or output and no other information on its kind."""
    names = (
        "input.value",
        "output.value",
        "langfuse.trace.input",
        "mlflow.spanInputs",
        "traceloop.entity.input",
    )
    return "other" if any(name in span.attributes for name in names) else None


_RULES: tuple[Callable[[Span], SpanKind | None], ...] = (
    _from_table("langfuse.observation.type", _LANGFUSE_KINDS),
    _from_table("openinference.span.kind", _OPENINFERENCE_KINDS),
    _from_table("gen_ai.operation.name", _OPERATION_KINDS),
    _from_table("mlflow.spanType", _MLFLOW_KINDS),
    _from_table("langsmith.span.kind", _LANGSMITH_KINDS),
    _traceloop_kind,
    _vector_store_kind,
    _from_table("ai.observability.span_type", _TRULENS_KINDS),
    _from_table("trulens.span_type", _TRULENS_KINDS),
    _vercel_kind,
    _tool_kind,
    _model_kind,
    _application_kind,
)
