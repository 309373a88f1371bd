"""One small application under real instrumentations of the OpenAI client: equal test cases.

`record_instrumentations.py` recorded the fixtures: openinference-instrumentation-openai 0.1.66,
opentelemetry-instrumentation-openai-v2 2.4b0, opentelemetry-instrumentation-openai (OpenLLMetry) 0.62.4.
"""

import json
from pathlib import Path

from tests.testing.for_each import for_each
from tests.traces.record_instrumentations import ANSWER, FIXTURES, PASSAGES, QUESTION, RECORDINGS

from ragstone import TestCase, load_dataset
from ragstone.datasets import BadRow, read_dataset

WITH_CONTENT = [name for name in RECORDINGS if not name.endswith(("_bare", "_hidden"))]


def file_of(name: str) -> Path:
    return FIXTURES / f"recorded_{name}.jsonl"


@for_each("name", WITH_CONTENT)
def test_every_instrumentation_gives_the_same_test_case(name: str) -> None:
    (case,) = load_dataset(file_of(name))
    assert case.model_dump(exclude={"metadata", "id"}, exclude_none=True) == {
        "input": QUESTION,
        "actual_output": ANSWER,
        "retrieval_context": (PASSAGES["d2"], PASSAGES["d1"]),
        "retrieved_ids": ("d1", "d2", "d3"),
        "tools_called": ({"name": "price", "input_parameters": {"sku": "L-1"}, "output": "30 EUR"},),
        "name": "ask",
        "tags": (),
    }
    assert [item["id"] for item in case.metadata["trace"]["cut"]] == ["d3"]
    tokens = case.metadata["tokens"]
    assert (tokens["input"], tokens["output"]) == (140, 16)
    assert (case.metadata["model"], case.metadata["release"]) == ("m-1", "1.4")


@for_each(
    "name, switch",
    [
        ("openinference_hidden", "Unset OPENINFERENCE_HIDE_INPUTS"),
        ("opentelemetry_bare", "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY"),
        ("openllmetry_bare", "TRACELOOP_TRACE_CONTENT=true"),
    ],
)
def test_recording_without_content_names_the_capture_setting(name: str, switch: str) -> None:
    (found,) = read_dataset(file_of(name))
    assert isinstance(found, BadRow)
    assert switch in found.instead


def test_spans_in_separate_reversed_requests_give_the_same_case(tmp_path: Path) -> None:
    first, second = file_of("opentelemetry_logs").read_text().splitlines()
    sent = json.loads(first)
    whole = sent["resourceSpans"][0]
    lines = [second]
    for by_scope in whole["scopeSpans"]:
        for span in by_scope["spans"]:
            alone = {**whole, "scopeSpans": [{**by_scope, "spans": [span]}]}
            lines.append(json.dumps({"resourceSpans": [alone]}))
    path = tmp_path / "apart.jsonl"
    path.write_text("\n".join([*reversed(lines), *lines]))
    (case,) = load_dataset(path)
    assert isinstance(case, TestCase)
    assert case == load_dataset(file_of("opentelemetry_logs"))[0]
