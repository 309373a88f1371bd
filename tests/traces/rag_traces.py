"""One interaction with a small RAG application, as each convention records it.

The retriever returns three passages, the prompt has room for two. A model rewrites nothing; a judge runs afterwards.
"""

import json
from collections.abc import Callable
from typing import Any

from tests.traces.otlp_requests import otlp_span, pairs, request

QUESTION = "How long is the warranty?"
ANSWER = "The warranty lasts two years."
PASSAGES = (
    "Warranty: every lamp is covered for two years from the day of purchase.",
    "Returns are free within thirty days, in the box that the lamp came in.",
    "The shop in Harbour Street opens at nine and closes at six on weekdays.",
)
IDS = ("d1", "d2", "d3")
SCORES = (0.9, 0.8, 0.5)
SYSTEM = f"Answer from these passages.\n\n{PASSAGES[1]}\n\n{PASSAGES[0]}"
PROMPT = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]
REPLY = {"role": "assistant", "content": ANSWER}

Attributes = dict[str, Any]


def _spread(name: str, items: list[Attributes]) -> Attributes:
    return {f"{name}.{n}.{key}": value for n, item in enumerate(items) for key, value in item.items()}


def openinference() -> list[Attributes]:
    """OpenInference: flattened lists."""
    documents = [
        {"document.id": i, "document.content": text, "document.score": score}
        for i, text, score in zip(IDS, PASSAGES, SCORES, strict=True)
    ]
    asked = [{f"message.{key}": value for key, value in message.items()} for message in PROMPT]
    kind = "openinference.span.kind"
    return [
        otlp_span(1, "ask", {kind: "CHAIN", "input.value": QUESTION, "output.value": ANSWER}),
        otlp_span(
            2,
            "search",
            {kind: "RETRIEVER", "input.value": QUESTION, **_spread("retrieval.documents", documents)},
            parent=1,
        ),
        otlp_span(
            3,
            "ChatCompletion",
            {
                kind: "LLM",
                "llm.model_name": "m-1",
                "llm.token_count.prompt": 70,
                "llm.token_count.completion": 8,
                **_spread("llm.input_messages", asked),
                "llm.output_messages.0.message.role": "assistant",
                "llm.output_messages.0.message.content": ANSWER,
            },
            parent=1,
        ),
        otlp_span(
            4, "check", {kind: "EVALUATOR", "input.value": "grade this", "output.value": "good"}, parent=1
        ),
    ]


def _parts(message: Attributes) -> Attributes:
    return {"role": message["role"], "parts": [{"type": "text", "content": message["content"]}]}


def _documents(name: str = "content") -> list[Attributes]:
    return [
        {"id": i, name: text, "score": score} for i, text, score in zip(IDS, PASSAGES, SCORES, strict=True)
    ]


_USAGE = {
    "gen_ai.request.model": "m-1",
    "gen_ai.usage.input_tokens": 70,
    "gen_ai.usage.output_tokens": 8,
}


def opentelemetry(*, structured: bool = False) -> list[Attributes]:
    """OpenTelemetry's conventions of 2026: message attributes, as JSON texts or as structures."""
    form: Callable[[Any], Any] = (lambda value: value) if structured else json.dumps
    return [
        otlp_span(
            1,
            "ask",
            {
                "gen_ai.operation.name": "invoke_workflow",
                "gen_ai.input.messages": form([_parts({"role": "user", "content": QUESTION})]),
                "gen_ai.output.messages": form([{**_parts(REPLY), "finish_reason": "stop"}]),
            },
        ),
        otlp_span(
            2,
            "search",
            {
                "gen_ai.operation.name": "retrieval",
                "gen_ai.retrieval.query.text": QUESTION,
                "gen_ai.retrieval.documents": form(_documents()),
            },
            parent=1,
        ),
        otlp_span(
            3,
            "chat m-1",
            {
                "gen_ai.operation.name": "chat",
                **_USAGE,
                "gen_ai.system_instructions": form([{"type": "text", "content": SYSTEM}]),
                "gen_ai.input.messages": form([_parts(PROMPT[1])]),
                "gen_ai.output.messages": form([{**_parts(REPLY), "finish_reason": "stop"}]),
            },
            parent=1,
        ),
    ]


def opentelemetry_events() -> list[Attributes]:
    """OpenTelemetry's conventions up to 1.36: a message an event of the span."""
    root, search, chat = opentelemetry()
    bare = otlp_span(
        3, "chat m-1", {"gen_ai.operation.name": "chat", "gen_ai.system": "openai", **_USAGE}, parent=1
    )
    events = [
        ("gen_ai.system.message", {"content": SYSTEM}),
        ("gen_ai.user.message", {"content": QUESTION}),
        ("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": json.dumps(REPLY)}),
    ]
    bare["events"] = [
        {"name": name, "timeUnixNano": chat["startTimeUnixNano"], "attributes": pairs(told)}
        for name, told in events
    ]
    return [root, search, bare]


def openllmetry() -> list[Attributes]:
    """OpenLLMetry: numbered prompts, results of the vector store as events."""
    asked = {
        f"gen_ai.prompt.{n}.{key}": value for n, item in enumerate(PROMPT) for key, value in item.items()
    }
    results = [
        {
            "db.query.result.id": i,
            "db.query.result.document": text,
            "db.query.result.score": score,
        }
        for i, text, score in zip(IDS, PASSAGES, SCORES, strict=True)
    ]
    search = otlp_span(2, "chroma.query", {"db.system": "chroma"}, parent=1)
    search["events"] = [
        {
            "name": "db.query.result",
            "timeUnixNano": search["startTimeUnixNano"][:-1] + str(n),
            "attributes": pairs(told),
        }
        for n, told in enumerate(results)
    ]
    return [
        otlp_span(
            1,
            "ask",
            {
                "traceloop.span.kind": "workflow",
                "traceloop.entity.input": json.dumps({"args": [QUESTION], "kwargs": {}}),
                "traceloop.entity.output": json.dumps(ANSWER),
            },
        ),
        search,
        otlp_span(
            3,
            "openai.chat",
            {
                "llm.request.type": "chat",
                "gen_ai.request.model": "m-1",
                "gen_ai.usage.prompt_tokens": 70,
                "gen_ai.usage.completion_tokens": 8,
                **asked,
                "gen_ai.completion.0.role": "assistant",
                "gen_ai.completion.0.content": ANSWER,
            },
            parent=1,
        ),
    ]


def langfuse() -> list[Attributes]:
    """Langfuse's SDK."""
    kind, sent, answered = (f"langfuse.observation.{name}" for name in ("type", "input", "output"))
    return [
        otlp_span(
            1,
            "ask",
            {
                kind: "chain",
                sent: json.dumps({"question": QUESTION}),
                answered: json.dumps({"answer": ANSWER}),
            },
        ),
        otlp_span(
            2,
            "search",
            {kind: "retriever", sent: QUESTION, answered: json.dumps(_documents("page_content"))},
            parent=1,
        ),
        otlp_span(
            3,
            "generate",
            {
                kind: "generation",
                sent: json.dumps(PROMPT),
                answered: json.dumps(REPLY),
                "langfuse.observation.model.name": "m-1",
                "langfuse.observation.usage_details": json.dumps({"input": 70, "output": 8, "total": 78}),
            },
            parent=1,
        ),
        otlp_span(4, "judge", {kind: "evaluator", sent: "x", answered: "y"}, parent=1),
    ]


def mlflow() -> list[Attributes]:
    """MLflow: every attribute a JSON text."""

    def told(kind: str, sent: object, answered: object, **more: object) -> Attributes:
        values = {"mlflow.spanType": kind, "mlflow.spanInputs": sent, "mlflow.spanOutputs": answered, **more}
        return {name: json.dumps(value) for name, value in values.items()}

    choices = {"choices": [{"message": REPLY, "finish_reason": "stop"}], "model": "m-1"}
    usage = {"mlflow.chat.tokenUsage": {"input_tokens": 70, "output_tokens": 8}, "mlflow.llm.model": "m-1"}
    documents = [{"page_content": item["content"], "id": item["id"], "metadata": {}} for item in _documents()]
    return [
        otlp_span(1, "ask", told("CHAIN", {"question": QUESTION}, ANSWER)),
        otlp_span(2, "search", told("RETRIEVER", {"query": QUESTION}, documents), parent=1),
        otlp_span(
            3,
            "Completions",
            told("CHAT_MODEL", {"messages": PROMPT, "model": "m-1"}, choices, **usage),
            parent=1,
        ),
    ]


def vercel() -> list[Attributes]:
    """Vercel's AI SDK; the retriever is a span by OpenTelemetry's conventions."""
    return [
        otlp_span(
            1,
            "ask",
            {
                "ai.operationId": "ai.generateText",
                "ai.prompt": json.dumps({"prompt": QUESTION}),
                "ai.response.text": ANSWER,
            },
        ),
        otlp_span(
            2,
            "search",
            {
                "gen_ai.operation.name": "retrieval",
                "gen_ai.retrieval.query.text": QUESTION,
                "gen_ai.retrieval.documents": json.dumps(_documents("text")),
            },
            parent=1,
        ),
        otlp_span(
            3,
            "ai.generateText.doGenerate",
            {
                "ai.operationId": "ai.generateText.doGenerate",
                "ai.prompt.messages": json.dumps(
                    [PROMPT[0], {"role": "user", "content": [{"type": "text", "text": QUESTION}]}]
                ),
                "ai.response.text": ANSWER,
                **_USAGE,
            },
            parent=1,
        ),
    ]


def trulens() -> list[Attributes]:
    """TruLens; contexts have no ids, so the sha256 of each stands for it."""
    return [
        otlp_span(
            1,
            "ask",
            {
                "ai.observability.span_type": "record_root",
                "ai.observability.record_root.input": QUESTION,
                "ai.observability.record_root.output": ANSWER,
            },
        ),
        otlp_span(
            2,
            "search",
            {
                "ai.observability.span_type": "retrieval",
                "ai.observability.retrieval.query_text": QUESTION,
                "ai.observability.retrieval.retrieved_contexts": list(PASSAGES),
            },
            parent=1,
        ),
        otlp_span(
            3,
            "generate",
            {
                "ai.observability.span_type": "generation",
                "gen_ai.input.messages": json.dumps([_parts(item) for item in PROMPT]),
                "gen_ai.output.messages": json.dumps([_parts(REPLY)]),
                **_USAGE,
            },
            parent=1,
        ),
        otlp_span(4, "feedback", {"ai.observability.span_type": "eval_root"}, parent=1),
    ]


CONVENTIONS: dict[str, Callable[[], list[Attributes]]] = {
    "openinference": openinference,
    "opentelemetry": opentelemetry,
    "opentelemetry, structured": lambda: opentelemetry(structured=True),
    "opentelemetry, events": opentelemetry_events,
    "openllmetry": openllmetry,
    "langfuse": langfuse,
    "mlflow": mlflow,
    "vercel": vercel,
    "trulens": trulens,
}


def rag_request(convention: str = "openinference") -> dict[str, Any]:
    """Return the interaction as one request."""
    resource = {"service.version": "1.4", "deployment.environment.name": "production"}
    return request(CONVENTIONS[convention](), resource)
