"""Traces read as other datasets are: files in every form, spans in memory, with and without options."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.cli.command import invoke
from tests.traces.otlp_requests import otlp_span, request
from tests.traces.rag_traces import ANSWER, CONVENTIONS, PASSAGES, QUESTION, openinference, rag_request

from ragstone import TestCase, evaluate, load_dataset
from ragstone.datasets import BadRowWarning, from_traces
from ragstone.errors import BadDataset, UnknownName
from ragstone.traces import parse_request


def spans_with_trace_id(trace: str) -> list[dict[str, Any]]:
    """The spans of the interaction in a trace of another id."""
    return [{**span, "traceId": trace} for span in openinference()]


def trace_id(number: int) -> str:
    return f"{number:032x}"


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("form", ["lines", "document", "array", "gzip", "spans a request"])
def test_trace_file_format_is_detected(tmp_path: Path, convention: str, form: str) -> None:
    sent = rag_request(convention)
    path = tmp_path / "traces.jsonl"
    text = json.dumps(sent)
    if form == "document":
        path = tmp_path / "traces.json"
        text = json.dumps(sent, indent=2)
    elif form == "array":
        text = json.dumps([sent], indent=1)
    elif form == "spans a request":
        inner = sent["resourceSpans"][0]["scopeSpans"][0]
        alone = [request([span], {"service.version": "1.4"}) for span in reversed(inner["spans"])]
        text = "\n".join(map(json.dumps, alone))
    path.write_bytes(gzip.compress(text.encode()) if form == "gzip" else text.encode())
    (case,) = load_dataset(path)
    assert (case.input, case.actual_output) == (QUESTION, ANSWER)
    assert case.retrieval_context == (PASSAGES[1], PASSAGES[0])


def test_traces_with_scattered_spans_are_ordered_by_start(tmp_path: Path) -> None:
    spans = [span for number in (3, 1, 2) for span in spans_with_trace_id(trace_id(number))]
    for span in spans:
        later = int(span["traceId"], 16) * 10**9
        span["startTimeUnixNano"] = str(int(span["startTimeUnixNano"]) + later)
        span["endTimeUnixNano"] = str(int(span["endTimeUnixNano"]) + later)
    spans.sort(key=lambda span: span["name"])
    path = tmp_path / "traces.jsonl"
    path.write_text("\n".join(json.dumps(request([span])) for span in spans))
    assert [case.id for case in load_dataset(path)] == [trace_id(number) for number in (1, 2, 3)]


def test_broken_trace_lines_and_spans_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    broken = request([{"name": "x"}])
    path.write_text(f'{json.dumps(rag_request())}\n{{"resourceSpans": [\n{json.dumps(broken)}\n{{"a": 1}}\n')
    with pytest.warns(BadRowWarning):
        dataset = load_dataset(path)
    assert len(dataset) == 1
    places = [(row.place, row.problem.partition(":")[0]) for row in dataset.bad_rows]
    assert places == [
        ("line 2", "this JSON cannot be read"),
        ("line 3", "span 'x'"),
        ("line 4", "an object with 'a' is not a trace in a known format."),
    ]


def test_traces_without_content_name_the_capture_variable(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    bare = otlp_span(1, "chat", {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"})
    path.write_text(json.dumps(request([bare])))
    with pytest.raises(BadDataset, match="OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY"):
        load_dataset(path)


def test_traces_without_known_convention_raise_bad_dataset(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_text(json.dumps(request([otlp_span(1, "GET /health", {"http.method": "GET"})])))
    with pytest.raises(BadDataset, match="no trace contains a unit 'trace' in a known convention"):
        load_dataset(path)


def test_from_traces_unit_and_format_options(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_text(json.dumps(rag_request()))
    (case,) = load_dataset(from_traces(path, unit="span:ChatCompletion", format="otlp"))
    assert case.name == "ChatCompletion"
    with pytest.raises(UnknownName, match="trace format"):
        from_traces(path, format="otpl")


def test_row_mentioning_resource_spans_is_not_a_trace(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"input": 'What is "resourceSpans"?', "actual_output": "A field."}))
    assert load_dataset(path)[0].input == 'What is "resourceSpans"?'


def test_spans_of_the_sdk_are_evaluated() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    told = {"openinference.span.kind": "CHAIN", "input.value": QUESTION, "output.value": ANSWER}
    with provider.get_tracer("app").start_as_current_span("ask", attributes=told):
        pass
    report = evaluate(exporter.get_finished_spans(), "pattern_match(pattern='.*two years.*')")
    assert report.cases[0].input == QUESTION
    assert report.exit_code == 0


def test_in_memory_spans_are_read_and_others_refused() -> None:
    (case,) = load_dataset(parse_request(rag_request()).spans)
    assert isinstance(case, TestCase)
    with pytest.raises(BadDataset, match="A span is expected, not int"):
        load_dataset(from_traces([1]))


def test_the_command_reads_traces(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_text(json.dumps(rag_request()))
    command = (
        "run",
        str(path),
        "-m",
        "pattern_match(pattern='.*two years.*')",
        "--no-store",
        "-o",
        "-",
        "-q",
    )
    found = invoke(*command)
    assert found.exit_code == 0
    assert json.loads(found.stdout)["case_id"] == openinference()[0]["traceId"]
    assert "unit='tree'" in invoke(*command, "--unit", "tree").output
