"""Conventions of vendors that record what goes into a span and what comes out of it: one reader for each.

Langfuse and MLflow record JSON texts. The reader of exports sets the names of LangSmith's attributes, and of scores
and assessments. OpenLLMetry records entities of workflows and tasks, and results of vector stores as events. TruLens
records texts without ids or scores, under new and old names.
"""

from collections.abc import Mapping
from typing import Any

from ragstone.traces.kinds import SpanKind
from ragstone.traces.shapes.documents import make_document, read_documents
from ragstone.traces.shapes.messages import ModelMessage, read_answers, read_messages
from ragstone.traces.shapes.texts import find_text
from ragstone.traces.shapes.values import (
    as_list,
    as_mapping,
    as_text,
    finite,
    first_count,
    first_number,
    first_text,
    known,
    parse_json,
)
from ragstone.traces.span import Span

_ASSOCIATED = "traceloop.association.properties."
_SEARCH_EVENTS = ("db.query.result", "db.search.result")


def _recorded(span: Span, kind: SpanKind, inputs: Any, outputs: Any) -> dict[str, Any]:  # noqa: ANN401  (any JSON)
    fields: dict[str, Any] = {"input": find_text(inputs, "input"), "output": find_text(outputs, "output")}
    if kind == "model":
        fields |= {"input_messages": read_messages(inputs), "output_messages": read_answers(outputs)}
    if kind in {"retrieval", "rerank"}:
        fields |= {"documents": read_documents(outputs), "query": fields["input"]}
    if kind == "tool" and (inputs is not None or outputs is not None):
        fields["tool"] = {"name": span.name, "arguments": parse_json(inputs), "output": parse_json(outputs)}
    return fields


def _tags(values: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return tuple(str(tag) for tag in as_list(values.get(name)))


def read_langfuse(span: Span, kind: SpanKind) -> dict[str, Any]:
    """Return the fields that Langfuse's attributes record, from its SDK over OpenTelemetry or an export."""
    values, prefix = span.attributes, "langfuse.observation"
    inputs, outputs = values.get(f"{prefix}.input"), values.get(f"{prefix}.output")
    usage = as_mapping(values.get(f"{prefix}.usage_details"))
    return {
        **_recorded(span, kind, inputs, outputs),
        "input": find_text(values.get("langfuse.trace.input", inputs), "input"),
        "output": find_text(values.get("langfuse.trace.output", outputs), "output"),
        "model": first_text(values, f"{prefix}.model.name"),
        "tokens": {
            "input": first_count(usage, "input", "input_tokens", "prompt_tokens"),
            "output": first_count(usage, "output", "output_tokens", "completion_tokens"),
            "cached": first_count(usage, "input_cached_tokens", "cache_read_input_tokens"),
        },
        "cost": first_number(as_mapping(values.get(f"{prefix}.cost_details")), "total"),
        "session": first_text(values, "session.id", "langfuse.session.id"),
        "user": first_text(values, "user.id", "langfuse.user.id"),
        "tags": _tags(values, "langfuse.trace.tags"),
        "environment": first_text(values, "langfuse.environment"),
        "release": first_text(values, "langfuse.release"),
        "expected_output": find_text(values.get("langfuse.experiment.item.expected_output"), "output"),
        "item": first_text(values, "langfuse.experiment.item.id"),
        "feedback": tuple(
            _langfuse_score(as_mapping(item)) for item in as_list(values.get("langfuse.scores"))
        ),
    }


def _langfuse_score(item: dict[str, Any]) -> dict[str, Any]:
    number = item.get("value")
    score = finite(number)
    return known(
        name=as_text(item.get("name")) or "score",
        score=score,
        label=as_text(item.get("stringValue")) or (as_text(number) if score is None else None),
        explanation=as_text(item.get("comment")),
        annotator_kind={"ANNOTATION": "HUMAN", "EVAL": "LLM"}.get(str(item.get("source"))),
        target="span" if item.get("observationId") else "trace",
    )


def read_langsmith(span: Span, kind: SpanKind) -> dict[str, Any]:
    """Return the fields that a LangSmith run records. An export of runs has the mean of each feedback alone."""
    values = span.attributes
    inputs, outputs = values.get("langsmith.inputs"), values.get("langsmith.outputs")
    metadata = as_mapping(values.get("langsmith.metadata"))
    stats = as_mapping(values.get("langsmith.feedback_stats"))
    means = {name: first_number(as_mapping(summary), "avg") for name, summary in stats.items()}
    fields = {
        **_recorded(span, kind, inputs, outputs),
        "model": first_text(metadata, "ls_model_name"),
        "tokens": {
            "input": first_count(values, "langsmith.prompt_tokens"),
            "output": first_count(values, "langsmith.completion_tokens"),
        },
        "cost": first_number(values, "langsmith.total_cost"),
        "session": first_text(metadata, "session_id", "thread_id", "conversation_id"),
        "user": first_text(metadata, "user_id"),
        "tags": _tags(values, "langsmith.tags"),
        "expected_output": find_text(values.get("langsmith.reference_outputs"), "output"),
        "item": first_text(values, "langsmith.reference_example_id"),
        "feedback": tuple(
            {"name": name, "score": mean, "target": "span"}
            for name, mean in means.items()
            if mean is not None
        ),
    }
    if kind == "tool":
        output = as_mapping(outputs).get("output", outputs)
        fields["tool"] = {"name": span.name, "arguments": inputs, "output": output}
    return fields


def read_mlflow(span: Span, kind: SpanKind) -> dict[str, Any]:
    """Return the fields that MLflow's attributes record."""
    values = {
        name: parse_json(value) for name, value in span.attributes.items() if name.startswith("mlflow.")
    }
    usage = as_mapping(values.get("mlflow.chat.tokenUsage"))
    assessments = [as_mapping(item) for item in as_list(values.get("mlflow.assessments"))]
    expected = (as_mapping(item["expectation"]).get("value") for item in assessments if "expectation" in item)
    return {
        **_recorded(span, kind, values.get("mlflow.spanInputs"), values.get("mlflow.spanOutputs")),
        "model": first_text(values, "mlflow.llm.model"),
        "tokens": {
            "input": first_count(usage, "input_tokens"),
            "output": first_count(usage, "output_tokens"),
            "cached": first_count(usage, "cache_read_input_tokens"),
        },
        "cost": first_number(as_mapping(values.get("mlflow.llm.cost")), "total_cost", "total"),
        "session": first_text(values, "mlflow.trace.session"),
        "user": first_text(values, "mlflow.trace.user"),
        "feedback": tuple(_mlflow_feedback(item) for item in assessments if "feedback" in item),
        "expected_output": next((text for value in expected if (text := find_text(value, "output"))), None),
    }


def _mlflow_feedback(item: dict[str, Any]) -> dict[str, Any]:
    value = as_mapping(item.get("feedback")).get("value")
    kind = str(as_mapping(item.get("source")).get("source_type") or "")
    score = float(value) if isinstance(value, bool) else finite(value)
    return known(
        name=as_text(item.get("assessment_name") or item.get("name")) or "feedback",
        score=score,
        label=as_text(value) if score is None else None,
        explanation=as_text(item.get("rationale")),
        annotator_kind={"LLM_JUDGE": "LLM", "HUMAN": "HUMAN", "CODE": "CODE"}.get(kind),
        target="span" if item.get("span_id") else "trace",
    )


def read_traceloop(span: Span, kind: SpanKind) -> dict[str, Any]:
    """Return the fields that Traceloop's attributes and events record; its model calls use OpenTelemetry's names."""
    values = span.attributes
    inputs, outputs = values.get("traceloop.entity.input"), values.get("traceloop.entity.output")
    fields: dict[str, Any] = {
        "input": find_text(inputs, "input"),
        "output": find_text(outputs, "output"),
        "session": first_text(
            values, *(f"{_ASSOCIATED}{name}_id" for name in ("session", "chat", "conversation"))
        ),
        "user": first_text(values, f"{_ASSOCIATED}user_id"),
        "tokens": {"total": first_count(values, "llm.usage.total_tokens", "gen_ai.usage.total_tokens")},
    }
    if kind == "retrieval":
        fields |= {"documents": _search_results(span) or read_documents(outputs), "query": fields["input"]}
    if kind == "tool" and (inputs is not None or outputs is not None):
        fields["tool"] = {
            "name": first_text(values, "traceloop.entity.name") or span.name,
            "arguments": _unwrap(inputs, "inputs", "kwargs", "args"),
            "output": _unwrap(outputs, "outputs", "output"),
        }
    return fields


def _search_results(span: Span) -> tuple[Any, ...]:
    results: list[Any] = []
    for event in (event for event in span.events if event.name in _SEARCH_EVENTS):
        values, name = event.attributes, event.name
        entity, metadata = (as_mapping(values.get(f"{name}.{part}")) for part in ("entity", "metadata"))
        text = values.get(f"{name}.document") or entity.get("text") or entity.get("content")
        score = values.get(f"{name}.score")  # `distance` is not read as a score: a lower distance is better
        results.append(make_document(text or metadata.get("text"), values.get(f"{name}.id"), score, metadata))
    return tuple(results)


def _unwrap(value: object, *names: str) -> Any:  # noqa: ANN401
    parsed = parse_json(value)
    mapping = as_mapping(parsed)
    return next((mapping[name] for name in names if mapping.get(name) not in (None, {}, [])), parsed)


def read_trulens(span: Span, kind: SpanKind) -> dict[str, Any]:
    """Return the fields that TruLens' attributes record, under their new and old names."""
    values = span.attributes

    def either(new: str, old: str | None = None) -> Any:  # noqa: ANN401
        return values.get(f"ai.observability.{new}", values.get(f"trulens.{old or f'sem.{new}'}"))

    fields: dict[str, Any] = {
        "input": find_text(either("record_root.input", "record_root.main_input"), "input"),
        "output": find_text(either("record_root.output", "record_root.main_output"), "output"),
        "release": first_text(values, "ai.observability.app_version"),
    }
    if kind == "retrieval":
        contexts = either("retrieval.retrieved_contexts")
        texts, scores = as_list(contexts), as_list(values.get("trulens.sem.retrieval.retrieved_scores"))
        fields["documents"] = read_documents(contexts)
        if texts and len(texts) == len(scores):
            pairs = zip(texts, scores, strict=True)
            fields["documents"] = tuple(make_document(text, None, score, None) for text, score in pairs)
        fields["query"] = as_text(either("retrieval.query_text"))
    if kind == "rerank":
        texts = as_list(either("reranking.input_context_texts"))
        ranks = as_list(either("reranking.output_ranks"))
        if len(ranks) == len(texts) and all(isinstance(rank, int) for rank in ranks):
            texts = [text for _, text in sorted(zip(ranks, texts, strict=True), key=lambda pair: pair[0])]
        fields["documents"] = read_documents(texts)
    return fields


def read_vercel(span: Span, kind: SpanKind) -> dict[str, Any]:
    """Return what Vercel's AI SDK, Pydantic AI and Google's ADK record in addition to OpenTelemetry's attributes."""
    values = span.attributes
    prompt = values.get("ai.prompt.messages", values.get("ai.prompt"))
    reply = first_text(values, "ai.response.text", "ai.result.text", "ai.response.object", "ai.result.object")
    questions = [
        message.text
        for message in read_messages(values.get("pydantic_ai.all_messages"))  # those of a whole run
        if message.role == "user" and message.text.strip()
    ]
    fields: dict[str, Any] = {
        "input": find_text(prompt, "input") or (questions[-1] if questions else None),
        "output": reply or find_text(values.get("final_result"), "output"),
        "model": first_text(values, "ai.model.id"),
        "tokens": {
            "input": first_count(values, "ai.usage.promptTokens", "ai.usage.inputTokens"),
            "output": first_count(values, "ai.usage.completionTokens", "ai.usage.outputTokens"),
        },
        "session": first_text(values, "ai.telemetry.metadata.sessionId"),
        "user": first_text(values, "ai.telemetry.metadata.userId"),
    }
    if kind == "model":
        calls = as_list(values.get("ai.response.toolCalls", values.get("ai.result.toolCalls")))
        named_calls = [{"name": as_mapping(call).get("toolName"), **as_mapping(call)} for call in calls]
        answer = read_answers([{"role": "assistant", "content": reply, "tool_calls": named_calls}])
        request, response = (values.get(f"gcp.vertex.agent.llm_{side}") for side in ("request", "response"))
        fields["input_messages"] = read_messages(prompt) or _gemini_messages(request)
        fields["output_messages"] = answer or _gemini_messages(response)
    if kind == "tool" and "ai.toolCall.name" in values:
        fields["tool"] = {
            "name": first_text(values, "ai.toolCall.name"),
            "id": first_text(values, "ai.toolCall.id"),
            "arguments": parse_json(values.get("ai.toolCall.args", values.get("ai.toolCall.input"))),
            "output": parse_json(values.get("ai.toolCall.result", values.get("ai.toolCall.output"))),
        }
    return fields


def _gemini_messages(value: object) -> tuple[ModelMessage, ...]:
    """Return the messages of a Gemini request or response, whose contents consist of parts with text."""
    payload = as_mapping(value)
    contents = as_list(payload.get("contents")) or ([payload["content"]] if payload.get("content") else [])
    messages: list[ModelMessage] = []
    for content in map(as_mapping, contents):
        texts = [str(as_mapping(part).get("text") or "") for part in as_list(content.get("parts"))]
        message = {"role": content.get("role") or "user", "content": "\n".join(filter(None, texts))}
        messages += read_messages([message])
    return tuple(messages)
