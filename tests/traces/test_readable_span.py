"""Finished spans of OpenTelemetry's SDK, read without importing it."""

import subprocess
import sys

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Link, SpanContext, Status, StatusCode

from ragstone.traces.readable_span import is_readable_span, read_span


def test_finished_sdk_span_is_read() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource({"service.version": "1.2"}))
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("app")
    link = Link(SpanContext(7, 8, is_remote=True))
    with tracer.start_as_current_span("root"), tracer.start_as_current_span("chat", links=[link]) as span:
        span.set_attribute("texts", ["a", "b"])
        span.add_event("e", {"n": 1})
        span.set_status(Status(StatusCode.ERROR, "timed out"))
    chat, root = map(read_span, exporter.get_finished_spans())
    assert all(map(is_readable_span, exporter.get_finished_spans()))
    assert not is_readable_span({"name": "chat"})
    assert (chat.parent_id, chat.trace_id, root.parent_id) == (root.span_id, root.trace_id, None)
    assert (len(chat.trace_id), len(chat.span_id)) == (32, 16)
    assert (chat.name, chat.error, chat.scope) == ("chat", "timed out", "app")
    assert chat.attributes == {"texts": ["a", "b"]}
    assert (chat.events[0].name, chat.events[0].attributes) == ("e", {"n": 1})
    assert chat.links[0].trace_id == f"{7:032x}"
    assert root.resource["service.version"] == "1.2"
    assert 0 < chat.start_ns <= chat.end_ns


def test_opentelemetry_is_not_imported() -> None:
    code = "import sys, ragstone.traces.readable_span, ragstone.traces.otlp; print('opentelemetry' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
