import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.case import TestCase
from ragstone.datasets import BadRow, read_dataset

Read = Callable[[str, str | bytes], list[TestCase | BadRow]]
ROW = {"input": "q", "actual_output": "a", "retrieval_context": ["p", "r"]}


def problems(rows: list[TestCase | BadRow]) -> list[str]:
    return [str(row) for row in rows if isinstance(row, BadRow)]


def inputs(rows: list[TestCase | BadRow]) -> list[str]:
    return [row.input for row in rows if isinstance(row, TestCase)]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("wrapper", [None, "results", "data", "test_cases"])
def test_array_is_read_at_top_level_or_under_known_key(
    read: Read, indent: int | None, wrapper: str | None
) -> None:
    content: object = [ROW, {"input": "r"}]
    if wrapper:
        content = {"version": 1, wrapper: content, "end": None}
    assert inputs(read("a.json", json.dumps(content, indent=indent))) == ["q", "r"]


def test_a_single_object_is_one_row(read: Read) -> None:
    (case,) = read("a.json", json.dumps(ROW, indent=1))
    assert isinstance(case, TestCase)
    assert case.retrieval_context == ("p", "r")


def test_an_object_of_columns_is_a_table(read: Read) -> None:
    table = {"question": ["a", "b"], "contexts": [["x"], ["y", "z"]]}
    cases = read("a.json", json.dumps(table))
    assert inputs(cases) == ["a", "b"]
    assert isinstance(cases[1], TestCase)
    assert cases[1].retrieval_context == ("y", "z")


def test_json_and_json_lines_are_detected_from_content(read: Read) -> None:
    assert inputs(read("a.json", '{"input": "a"}\n{"input": "b"}\n')) == ["a", "b"]
    assert inputs(read("b.jsonl", '[\n{"input": "a"},\n{"input": "b"}\n]')) == ["a", "b"]
    assert inputs(read("d.jsonl", '[{"input": "a"}, {"input": "b"}]')) == ["a", "b"]
    assert inputs(read("c.json", '{\n"input": "a"}\n{\n"input": "b"}\n')) == ["a", "b"]


def test_broken_array_element_is_reported_with_item_and_line(read: Read) -> None:
    rows = read("a.json", '[\n {"input": "a"},\n {"input": "b" "c"},\n 5,\n {"input": "d"}\n]')
    assert inputs(rows) == ["a", "d"]
    assert "a.json, item 2, line 3: this is not valid JSON: Expecting ',' delimiter" in problems(rows)[0]
    assert "a.json, item 3, line 4: a JSON object is expected, not '5'." in problems(rows)[1]


@pytest.mark.parametrize(
    "broken",
    ['[{"input": "a"}', '[{"input": "a"}, {"input": "b', '[{"input": "a"}}', '[{"input": "a"}, {"inp"'],
)
def test_truncated_json_keeps_the_rows_before_the_end(read: Read, broken: str) -> None:
    rows = read("a.json", broken)
    assert inputs(rows) == ["a"]
    assert "a.json, line 1: the rest cannot be read: " in problems(rows)[0]


@pytest.mark.parametrize("text", ['{"input": "a"} x', '[{"input": "a"}] [2]'])
def test_text_after_the_json_end_is_reported(read: Read, text: str) -> None:
    rows = read("a.json", text)
    assert inputs(rows) == ["a"]
    assert "after the end of the JSON" in problems(rows)[0]


def test_a_ragchecker_file(read: Read) -> None:
    result = {
        "query_id": "7",
        "query": "q",
        "gt_answer": "g",
        "response": "r",
        "retrieved_context": [{"doc_id": "d1", "text": "t1"}, {"doc_id": "d2", "text": "t2"}],
    }
    (case,) = read("rc.json", json.dumps({"results": [result]}))
    assert case == TestCase(
        id="7",
        input="q",
        expected_output="g",
        actual_output="r",
        retrieval_context=("t1", "t2"),
        metadata={"retrieval_context_details": [{"doc_id": "d1"}, {"doc_id": "d2"}]},
    )


def test_memory_stays_flat_over_a_long_array(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    with path.open("w", encoding="utf-8") as stream:
        stream.write("[")
        stream.writelines(
            ("," if number else "") + json.dumps({**ROW, "n": "x" * 1_500}) for number in range(4_000)
        )
        stream.write("]")
    tracemalloc.start()
    try:
        count = sum(isinstance(row, TestCase) for row in read_dataset(path))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == 4_000
    assert path.stat().st_size > 5_000_000
    assert peak < 2_000_000
