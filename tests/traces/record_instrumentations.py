"""Record what real instrumentations of the OpenAI client write around one small application, as OTLP/JSON fixtures.

Run in an environment of its own, which the tests do not need:

    python -m venv recorder
    recorder/bin/pip install 'openai>=2.8,<3' openinference-instrumentation-openai opentelemetry-sdk \
        opentelemetry-instrumentation-openai-v2==2.4b0 opentelemetry-util-genai==0.4b0 \
        opentelemetry-instrumentation-openai opentelemetry-exporter-otlp-proto-common
    recorder/bin/python tests/traces/record_instrumentations.py

The application retrieves three passages, puts two of them into its prompt, lets the model call a tool, and answers. Its
own spans follow the convention of the instrumentation that is recorded; the model is a server on loopback.
"""

# ruff: noqa: PLC0415, T201  (a script: each instrumentation is imported in a process of its own)
# pyright: basic, reportMissingImports=false

import base64
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parent / "fixtures"
QUESTION = "What does the lamp cost, and how long is its warranty?"
ANSWER = "The lamp costs 30 euros and has a warranty of two years."
PASSAGES = {
    "d1": "Warranty: every lamp is covered for two years from the day of purchase.",
    "d2": "Returns are free within thirty days, in the box that the lamp came in.",
    "d3": "The shop in Harbour Street opens at nine and closes at six on weekdays.",
}
TOOL = {
    "type": "function",
    "function": {"name": "price", "parameters": {"type": "object", "properties": {"sku": {}}}},
}
NEW = {
    "OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental",
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_ONLY",
}
OLD = {"OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "true"}
RECORDINGS: dict[str, tuple[str, dict[str, str]]] = {
    "openinference": ("openinference", {}),
    "openinference_hidden": (
        "openinference",
        {"OPENINFERENCE_HIDE_INPUTS": "true", "OPENINFERENCE_HIDE_OUTPUTS": "true"},
    ),
    "opentelemetry_spans": ("opentelemetry", NEW),
    "opentelemetry_logs": ("opentelemetry", OLD),
    "opentelemetry_bare": ("opentelemetry", {}),
    "openllmetry": ("openllmetry", {}),
    "openllmetry_bare": ("openllmetry", {"TRACELOOP_TRACE_CONTENT": "false"}),
}
"""Fixture → the instrumentation, and the variables under which it is recorded."""


class FakeModel(BaseHTTPRequestHandler):
    """A model that calls the tool first and answers then."""

    def do_POST(self) -> None:
        """Answer a chat completion."""
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        called = {
            "id": "call_1",
            "type": "function",
            "function": {"name": "price", "arguments": '{"sku": "L-1"}'},
        }
        told = asked["messages"][-1]["role"] == "tool"
        message = (
            {"role": "assistant", "content": ANSWER}
            if told
            else {"role": "assistant", "content": None, "tool_calls": [called]}
        )
        choice = {"index": 0, "message": message, "finish_reason": "stop" if told else "tool_calls"}
        usage = {"prompt_tokens": 70, "completion_tokens": 8, "total_tokens": 78}
        body = json.dumps(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1,
                "model": "m-1",
                "choices": [choice],
                "usage": usage,
            }
        ).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Say nothing."""


def own_attributes(
    convention: str, *, content: bool
) -> tuple[dict[str, Any], dict[str, Any], list[dict[str, Any]]]:
    """Return the attributes of the application's span, of the retriever's, and the latter's events."""
    if convention == "openinference":
        root: dict[str, Any] = {"openinference.span.kind": "CHAIN"}
        search: dict[str, Any] = {"openinference.span.kind": "RETRIEVER"}
        if content:
            root |= {"input.value": QUESTION, "output.value": ANSWER}
            search["input.value"] = QUESTION
            for number, (identifier, text) in enumerate(PASSAGES.items()):
                search[f"retrieval.documents.{number}.document.id"] = identifier
                search[f"retrieval.documents.{number}.document.content"] = text
        return root, search, []
    if convention == "openllmetry":
        root = {"traceloop.span.kind": "workflow", "traceloop.entity.name": "ask"}
        if not content:
            return root, {"db.system": "chroma"}, []
        root["traceloop.entity.input"] = json.dumps({"args": [QUESTION], "kwargs": {}})
        root["traceloop.entity.output"] = json.dumps(ANSWER)
        events = [
            {"db.query.result.id": identifier, "db.query.result.document": text}
            for identifier, text in PASSAGES.items()
        ]
        return root, {"db.system": "chroma"}, events
    root, search = {"gen_ai.operation.name": "invoke_workflow"}, {"gen_ai.operation.name": "retrieval"}
    if content:
        parts: Callable[[str, str], str] = lambda role, text: json.dumps(  # noqa: E731
            [{"role": role, "parts": [{"type": "text", "content": text}]}]
        )
        root |= {
            "gen_ai.input.messages": parts("user", QUESTION),
            "gen_ai.output.messages": parts("assistant", ANSWER),
        }
        documents = [{"id": identifier, "content": text} for identifier, text in PASSAGES.items()]
        search |= {
            "gen_ai.retrieval.query.text": QUESTION,
            "gen_ai.retrieval.documents": json.dumps(documents),
        }
    return root, search, []


def application(tracer: Any, client: Any, convention: str, *, content: bool) -> str:
    """Answer the question."""
    root, search, events = own_attributes(convention, content=content)
    with tracer.start_as_current_span("ask", attributes=root):
        with tracer.start_as_current_span("search", attributes=search) as span:
            for event in events:
                span.add_event("db.query.result", event)
        system = f"Answer from these passages.\n\n{PASSAGES['d2']}\n\n{PASSAGES['d1']}"
        messages: list[Any] = [{"role": "system", "content": system}, {"role": "user", "content": QUESTION}]
        first = client.chat.completions.create(model="m-1", messages=messages, tools=[TOOL])
        called = first.choices[0].message.tool_calls[0]
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [called.model_dump()]},
            {"role": "tool", "tool_call_id": called.id, "content": "30 EUR"},
        ]
        return (
            client.chat.completions.create(model="m-1", messages=messages, tools=[TOOL])
            .choices[0]
            .message.content
        )


def record(name: str) -> None:
    """Record one fixture, in this process."""
    from openai import OpenAI
    from opentelemetry.exporter.otlp.proto.common._log_encoder import encode_logs
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    convention, environment = RECORDINGS[name]
    resource = Resource({"service.name": "lamp-shop", "service.version": "1.4"})
    spans, logs = InMemorySpanExporter(), InMemoryLogRecordExporter()
    traces, events = TracerProvider(resource=resource), LoggerProvider(resource=resource)
    traces.add_span_processor(SimpleSpanProcessor(spans))
    events.add_log_record_processor(SimpleLogRecordProcessor(logs))
    if convention == "openinference":
        from openinference.instrumentation.openai import OpenAIInstrumentor
    elif convention == "openllmetry":
        from opentelemetry.instrumentation.openai import OpenAIInstrumentor
    else:
        from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
    OpenAIInstrumentor().instrument(tracer_provider=traces, logger_provider=events)
    server = ThreadingHTTPServer(("127.0.0.1", 0), FakeModel)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    client = OpenAI(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none")
    content = not name.endswith(("_bare", "_hidden"))
    answer = application(traces.get_tracer("lamp-shop"), client, convention, content=content)
    server.shutdown()
    assert answer == ANSWER
    lines = [encoded(encode_spans(spans.get_finished_spans()))]
    if logs.get_finished_logs():
        lines.append(encoded(encode_logs(logs.get_finished_logs())))
    (FIXTURES / f"recorded_{name}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    print(
        name,
        len(spans.get_finished_spans()),
        "spans",
        len(logs.get_finished_logs()),
        "log records",
        environment,
    )


def encoded(message: Any) -> Any:
    """Return a protobuf request as OTLP's JSON encoding, whose ids are hexadecimal."""
    from google.protobuf.json_format import MessageToDict

    return hexadecimal(MessageToDict(message))


def hexadecimal(value: Any) -> Any:
    """Return a request with its ids in hexadecimal."""
    if isinstance(value, list):
        return [hexadecimal(item) for item in value]
    if not isinstance(value, dict):
        return value
    ids = {"traceId", "spanId", "parentSpanId"}
    return {
        key: base64.b64decode(item).hex() if key in ids else hexadecimal(item) for key, item in value.items()
    }


if __name__ == "__main__":
    if len(sys.argv) > 1:
        record(sys.argv[1])
    else:
        for each, (_, variables) in RECORDINGS.items():
            subprocess.run([sys.executable, __file__, each], check=True, env={**os.environ, **variables})
