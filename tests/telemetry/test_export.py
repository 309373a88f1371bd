"""A run through the OTLP exporters of a real SDK to a collector: four levels of spans, events, metrics, headers."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from inspect import signature
from typing import Any

import pytest
from tests.servers.detectors import TEIServer
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, every
from tests.telemetry.receiver import Collector, attributes, collecting

ORIGIN = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
PROGRAM = """
import logging, os, sys
from opentelemetry import trace, metrics, _logs
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter

tracing = TracerProvider()
tracing.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(tracing)
metering = MeterProvider([PeriodicExportingMetricReader(OTLPMetricExporter(), export_interval_millis=1e9)])
metrics.set_meter_provider(metering)
if "logs" in sys.argv:
    logging_ = LoggerProvider()
    logging_.add_log_record_processor(SimpleLogRecordProcessor(OTLPLogExporter()))
    _logs.set_logger_provider(logging_)

from ragstone import evaluate
CASES = [
    {"name": "good", "input": "2 + 2?", "actual_output": "4", "expected_output": "4", "retrieval_context": ["P."],
     "metadata": {"traceparent": "ORIGIN", "response_id": "chatcmpl-9"}},
    {"name": "bad", "input": "3 + 3?", "actual_output": "7", "expected_output": "6", "retrieval_context": ["P."]},
    {"name": "bare", "input": "4 + 4?", "actual_output": "8", "expected_output": "8"},
]
with trace.get_tracer("app").start_as_current_span("app"):
    judge = os.environ.get("JUDGE", "openai")
    report = evaluate(CASES, ["faithfulness", "exact_match"], judge=judge, name="nightly", concurrency=2)
tracing.shutdown(); metering.shutdown()
""".replace("ORIGIN", ORIGIN)


def run(collector: Collector, server: OpenAIServer, *arguments: str, **variables: str) -> None:
    environment = {
        **os.environ,
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.endpoint,
        "OPENAI_BASE_URL": server.base_url,
        "OPENAI_API_KEY": "sk-loopback",
        **variables,
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr  # nothing to complain of: no context detached where it was not attached


@pytest.fixture
def collector() -> Iterator[Collector]:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    with collecting() as opened:
        yield opened


def serving_openai() -> AbstractContextManager[OpenAIServer]:
    return serving(OpenAIServer(Script(claims=["C."], truths=["T."], verdicts=every("yes"))))


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with serving_openai() as opened:
        yield opened


Exported = tuple[Collector, OpenAIServer]


def exported(*arguments: str) -> Iterator[Exported]:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    with collecting() as collector, serving_openai() as server:
        run(collector, server, *arguments)
        yield collector, server


@pytest.fixture(scope="module")
def with_logs() -> Iterator[Exported]:
    """What a run exports where logs are exported too."""
    yield from exported("logs")


@pytest.fixture(scope="module")
def without_logs() -> Iterator[Exported]:
    """What a run exports where logs are not exported."""
    yield from exported()


def test_run_exports_four_span_levels_and_sends_traceparent(with_logs: Exported) -> None:
    collector, server = with_logs
    by_id = {span.span_id: span for span in collector.spans}
    named: dict[str, list[Any]] = {}
    for span in by_id.values():
        named.setdefault(span.name, []).append(span)
    assert {name: len(spans) for name, spans in named.items()} == {
        "app": 1,
        "ragstone.run": 1,
        "ragstone.case": 3,
        "ragstone.metric": 6,
        "ragstone.judge": 4,  # truths and verdicts of equal passages and claims are shared
    }
    above = {"ragstone.run": "app", "ragstone.case": "ragstone.run", "ragstone.metric": "ragstone.case"}
    above["ragstone.judge"] = "ragstone.metric"
    for name, parent in above.items():
        for span in named[name]:
            assert by_id[span.parent_span_id].name == parent
            assert by_id[span.parent_span_id].start_time_unix_nano <= span.start_time_unix_nano
            assert by_id[span.parent_span_id].end_time_unix_nano >= span.end_time_unix_nano
    assert len({span.trace_id for span in by_id.values()}) == 1
    assert attributes(named["ragstone.run"][0])["ragstone.run.name"] == "nightly"
    links = {attributes(span)["ragstone.case.name"]: list(span.links) for span in named["ragstone.case"]}
    assert links["good"][0].trace_id.hex() == ORIGIN.split("-")[1]
    assert not links["bad"]
    told = attributes(named["ragstone.judge"][0])
    assert told["gen_ai.operation.name"] == "chat"
    assert told["gen_ai.provider.name"] == "openai"
    assert told["gen_ai.request.model"] == "gpt-4o-mini"
    assert told["gen_ai.usage.input_tokens"] > 0
    assert told["gen_ai.usage.output_tokens"] > 0
    assert told["server.address"] == "127.0.0.1"
    sent = {request.headers["traceparent"].rpartition("-")[0] for request in server.requests}
    trace_id = named["app"][0].trace_id.hex()
    assert sent == {f"00-{trace_id}-{span.span_id.hex()}" for span in named["ragstone.judge"]}


def test_one_evaluation_event_for_each_result(with_logs: Exported) -> None:
    logs: Any = pytest.importorskip("opentelemetry._logs")
    if "event_name" not in signature(logs.Logger.emit).parameters:
        pytest.skip("before OpenTelemetry 1.38 a log is no event")
    collector, _ = with_logs
    events = [record for record in collector.records if record.event_name == "gen_ai.evaluation.result"]
    told = [attributes(event) for event in events]
    assert len(told) == 6
    good = next(event for event in events if "gen_ai.response.id" in attributes(event))
    assert good.trace_id.hex() == ORIGIN.split("-")[1]
    assert good.span_id.hex() == ORIGIN.split("-")[2]
    scored = [entry for entry in told if "gen_ai.evaluation.score.value" in entry]
    assert {entry["gen_ai.evaluation.score.label"] for entry in scored} == {"passed", "missed"}
    assert all(entry["gen_ai.evaluation.explanation"] for entry in scored)
    (failed,) = [entry for entry in told if "error.type" in entry]
    assert failed == {"gen_ai.evaluation.name": "Faithfulness", "error.type": "MissingField"}
    assert not [event for span in collector.spans for event in span.events]


def test_evaluation_events_are_on_spans_without_a_logger_provider(without_logs: Exported) -> None:
    collector, _ = without_logs
    assert not collector.records
    events = [event for span in collector.spans if span.name == "ragstone.metric" for event in span.events]
    assert [event.name for event in events] == ["gen_ai.evaluation.result"] * 6
    statuses = [span.status.message for span in collector.spans if span.status.code == 2]
    assert statuses == [
        (
            "MissingField: Faithfulness needs 'retrieval_context': not given by test case 'bare'. Fill in "
            "'retrieval_context', or leave the metric out."
        )
    ]


def test_run_exports_client_and_ragstone_metrics(without_logs: Exported) -> None:
    collector, _ = without_logs
    found = collector.metrics
    assert set(found) == {
        "gen_ai.client.operation.duration",
        "gen_ai.client.token.usage",
        "ragstone.metric.duration",
        "ragstone.results",
        "ragstone.failures",
        "ragstone.judge.tokens",
        "ragstone.judge.cost",
    }
    (point,) = found["gen_ai.client.operation.duration"].histogram.data_points
    assert point.count == 4
    assert found["gen_ai.client.operation.duration"].unit == "s"
    counts = {
        (
            attributes(point)["gen_ai.evaluation.name"],
            attributes(point)["gen_ai.evaluation.score.label"],
        ): point.as_int
        for point in found["ragstone.results"].sum.data_points
    }
    assert counts == {
        ("Faithfulness", "passed"): 2,
        ("Faithfulness", "not_measured"): 1,
        ("ExactMatch", "passed"): 2,
        ("ExactMatch", "missed"): 1,
    }
    (failure,) = found["ragstone.failures"].sum.data_points
    assert attributes(failure)["error.type"] == "MissingField"
    kinds = {
        attributes(point)["gen_ai.token.type"] for point in found["ragstone.judge.tokens"].sum.data_points
    }
    assert kinds == {"input", "output"}
    (cost,) = found["ragstone.judge.cost"].sum.data_points
    assert cost.as_double > 0


def test_judges_in_a_row_have_a_span_each_and_metrics_the_latest_names_on_request(
    collector: Collector, server: OpenAIServer
) -> None:
    with serving(TEIServer(lambda *_: {"LABEL_0": 0.5})) as detector:
        run(
            collector,
            server,
            JUDGE=f"tei:{detector.base_url},openai",
            OTEL_SEMCONV_STABILITY_OPT_IN="http, gen_ai_latest_experimental",
        )
    spans = [attributes(span) for span in collector.spans if span.name == "ragstone.judge"]
    told = {
        (span["gen_ai.provider.name"], span["gen_ai.operation.name"], span["ragstone.prompt"])
        for span in spans
    }
    assert told == {
        ("ragstone", "chat", "ExtractClaims"),
        ("tei", "classify", "JudgeClaims"),
        ("openai", "chat", "JudgeClaims"),
    }
    ports = {span["gen_ai.provider.name"]: span.get("server.port") for span in spans}
    assert ports["ragstone"] is None
    assert str(ports["tei"]) in detector.base_url
    found = collector.metrics
    assert {
        "gen_ai.client.inference.duration",
        "gen_ai.client.inference.usage.input_tokens",
        "gen_ai.client.inference.usage.output_tokens",
        "gen_ai.client.inference.operation.input_tokens",
        "gen_ai.client.inference.operation.output_tokens",
    } <= set(found)
    assert {"gen_ai.client.operation.duration", "gen_ai.client.token.usage"} <= set(found)
    (point,) = found["gen_ai.client.inference.usage.input_tokens"].sum.data_points
    assert attributes(point)["gen_ai.provider.name"] == "openai"
    assert point.as_int > 0
