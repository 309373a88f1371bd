"""Exports of tracing tools, each told from its content: the same interaction in every one."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.testing.for_each import for_each
from tests.traces.rag_traces import ANSWER, IDS, PASSAGES, QUESTION

from ragstone import TestCase, load_dataset
from ragstone.datasets import from_traces
from ragstone.errors import BadDataset
from ragstone.traces.cases import UnreadableTrace, trace_cases
from ragstone.traces.exports import nanoseconds
from ragstone.traces.formats import FORMATS, detect_traces, format_of, read_object
from ragstone.traces.spool import RecordSpool

FIXTURES = Path(__file__).parent / "fixtures"
FILES = sorted(path.name for path in FIXTURES.glob("*.json*") if not path.name.startswith("recorded"))


@for_each("name", FILES)
def test_every_export_gives_the_same_test_case(name: str) -> None:
    (case,) = load_dataset(FIXTURES / name)
    assert (case.input, case.actual_output, case.name) == (QUESTION, ANSWER, "ask")
    assert case.retrieval_context == (PASSAGES[1], PASSAGES[0])
    assert case.retrieved_ids == IDS
    trace = case.metadata["trace"]
    assert [item["id"] for item in trace["cut"]] == ["d3"]
    assert trace["incomplete"] is False
    assert case.metadata["session"] == "s-1"
    assert case.metadata["tokens"] == {"input": 70, "output": 8}
    assert case.metadata["model"] == "m-1"


@for_each("name", FILES)
def test_format_is_detected_or_given(name: str) -> None:
    text = (FIXTURES / name).read_text()
    wanted = name.partition("_")[0].partition(".")[0]
    first = json.loads(text if name.endswith(".json") else text.partition("\n")[0])
    assert format_of(first) == wanted
    assert detect_traces(text)
    assert wanted in FORMATS
    assert load_dataset(from_traces(FIXTURES / name, format=wanted)) is not None


def test_exports_keep_feedback_tags_and_expected_output() -> None:
    (langfuse,) = load_dataset(FIXTURES / "langfuse_trace.json")
    assert langfuse.metadata["feedback"] == [
        {"name": "thumbs", "score": 1, "explanation": "right", "annotator_kind": "HUMAN", "target": "trace"}
    ]
    assert (langfuse.tags, langfuse.metadata["release"], langfuse.metadata["cost"]) == (
        ("web",),
        "1.4",
        0.0004,
    )
    (mlflow,) = load_dataset(FIXTURES / "mlflow_3.json")
    assert mlflow.expected_output == "Two years."
    assert mlflow.metadata["feedback"][0]["score"] == 1
    (langsmith,) = load_dataset(FIXTURES / "langsmith.jsonl")
    assert langsmith.metadata["feedback"] == [{"name": "thumbs", "score": 1.0, "target": "span"}]
    assert langsmith.tags == ("web",)


@for_each(
    "row",
    [
        {"input": "q", "traceId": "t"},
        {"context": "a passage", "span_kind": "LLM"},
        {"info": {}, "data": {}},
        {"run_type": "chain", "inputs": {"question": "q"}, "outputs": {"answer": "a"}},
        {"data": [{"input": "q"}]},
    ],
)
def test_rows_with_trace_like_keys_are_not_traces(row: dict[str, object]) -> None:
    assert format_of(row) is None
    assert not detect_traces(json.dumps(row))


WORDS = (
    "context trace_id span_id context.trace_id attributes traceId id type observations scores info data spans "
    "run_type name inputs outputs start_time events status parent_id span_kind extra usageDetails tags"
)
KEYS = WORDS.split(" ")
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["GENERATION", "LLM"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=25,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), ANYTHING, min_size=1), st.sampled_from(sorted(FORMATS)))
def test_reading_arbitrary_json_objects_does_not_raise(value: dict[str, Any], name: str) -> None:
    records = [record for record in read_object(value, name) or () if not isinstance(record, str)]
    with RecordSpool() as spool:
        for record in records:
            spool.add(record)
        for group in spool.groups():
            for case in trace_cases(group):
                assert isinstance(case, TestCase | UnreadableTrace)


def test_lone_surrogates_and_nan_are_replaced(tmp_path: Path) -> None:
    path = tmp_path / "spans.jsonl"
    told = {"input.value": "half \ud83d", "output.value": "yes", "llm.cost.total": float("nan")}
    span = {
        "name": "ask",
        "context": {"trace_id": "t", "span_id": "s"},
        "span_kind": "CHAIN",
        "attributes": told,
    }
    path.write_text(json.dumps(span))
    (case,) = load_dataset(path)
    assert case.input == "half ?"
    json.dumps(case.metadata, allow_nan=False).encode()


@pytest.mark.parametrize("depth", [100, 900, 5000])
def test_deeply_nested_attributes_raise_bad_dataset(tmp_path: Path, depth: int) -> None:
    path = tmp_path / "spans.jsonl"
    nested = '{"a":' * depth + "1" + "}" * depth
    head = (
        '{"name": "ask", "context": {"trace_id": "t", "span_id": "s"}, "span_kind": "CHAIN", "attributes": '
    )
    path.write_text(f'{{"context": {{"trace_id": "u", "span_id": "s"}}}}\n{head}{nested}}}\n')
    with pytest.raises(BadDataset):
        load_dataset(path)


@for_each(
    "value, expected",
    [
        ("2026-11-22T10:00:00.010Z", 1795341600_010_000_000),
        ("2026-11-22T11:00:00.010+01:00", 1795341600_010_000_000),
        ("2026-11-22T10:00:00.010", 1795341600_010_000_000),
        (1795341600_010, 1795341600_010_000_000),
        (1795341600_010_000_000, 1795341600_010_000_000),
        ("1795341600010000", 1795341600_010_000_000),
        (1795341600, 1795341600_000_000_000),
        ("soon", 0),
        (None, 0),
        (float("nan"), 0),
        (-1, 0),
        (True, 0),
    ],
)
def test_nanoseconds_reads_timestamps_in_each_format(value: object, expected: int) -> None:
    assert nanoseconds(value) == expected
