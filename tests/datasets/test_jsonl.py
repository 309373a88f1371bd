import gzip
import json
from collections.abc import Callable

import pytest

from ragstone.case import TestCase
from ragstone.datasets import BadRow, jsonl
from ragstone.errors import BadDataset

Read = Callable[[str, str | bytes], list[TestCase | BadRow]]


def problems(rows: list[TestCase | BadRow]) -> list[str]:
    return [str(row) for row in rows if isinstance(row, BadRow)]


def inputs(rows: list[TestCase | BadRow]) -> list[str]:
    return [row.input for row in rows if isinstance(row, TestCase)]


def test_a_broken_line_is_reported_and_the_others_are_read(read: Read) -> None:
    rows = read("a.jsonl", '{"input": "one"}\n{"input": "two"\n\n[1]\n{"input": 3}\n{"input": "four"}\n')
    assert inputs(rows) == ["one", "four"]
    first, second, third = problems(rows)
    assert "a.jsonl, line 2: this is not valid JSON: Expecting ',' delimiter at character 17" in first
    assert "a.jsonl, line 4: a JSON object is expected, not '[1]'. Write {" in second
    assert "a.jsonl, line 5: input: Input should be a valid string (got 3)." in third


def test_a_row_without_input_names_its_fields_and_what_to_write(read: Read) -> None:
    (bad,) = read("a.jsonl", '{"querry": "x", "answer": "y"}\n')
    assert isinstance(bad, BadRow)
    assert bad.place == "line 1"
    assert bad.problem == "input: Field required; the row has 'querry', 'answer'."
    assert bad.instead == "Give it a non-empty input, question, user_input or query."


def test_invalid_utf8_rejects_only_its_line(read: Read) -> None:
    rows = read("a.jsonl", b'{"input": "caf\xe9"}\n{"input": "caf\xc3\xa9"}\n')
    assert inputs(rows) == ["café"]
    assert (
        "a.jsonl, line 1: byte 0xe9 at character 15 is not UTF-8. Save the file as UTF-8" in problems(rows)[0]
    )


def test_nul_byte_rejects_only_its_line(read: Read) -> None:
    rows = read("a.jsonl", b'{"input": "a\0b"}\n{"input": "c"}\n')
    assert inputs(rows) == ["c"]
    assert "a.jsonl, line 1: there is a NUL byte at character 13." in problems(rows)[0]


@pytest.mark.parametrize("value", ["\\ud800", "[" * 20_000, "1" * 5_000])
def test_json_values_beyond_parser_limits_are_reported(read: Read, value: str) -> None:
    text = value if value[0] in "[1" else f'"{value}"'
    rows = read("a.jsonl", f'{{"input": "q", "note": {text}}}\n{{"input": "c"}}\n')
    assert inputs(rows) == ["c"]
    assert "a.jsonl, line 1: " in problems(rows)[0]


def test_gzip_and_byte_order_marks_are_detected(read: Read) -> None:
    content = "\ufeff" + json.dumps({"input": "ü"}, ensure_ascii=False) + "\r\n"
    assert inputs(read("plain-name.jsonl", gzip.compress(content.encode()))) == ["ü"]
    assert inputs(read("named.jsonl.gz", gzip.compress(content.encode()))) == ["ü"]
    assert inputs(read("utf16.jsonl", content[1:].encode("utf-16"))) == ["ü"]


def test_truncated_gzip_keeps_rows_and_reports_last_line(read: Read) -> None:
    lines = "".join(
        json.dumps({"input": f"question {number}", "n": number}) + "\n" for number in range(20_000)
    )
    packed = gzip.compress(lines.encode())
    rows = read("a.jsonl.gz", packed[: len(packed) // 2])
    assert len(inputs(rows)) > 100
    assert f"after line {len(inputs(rows))}" in problems(rows)[0]
    assert "the rest cannot be read" in problems(rows)[0]


def test_duplicate_ids_name_both_lines(read: Read) -> None:
    rows = read("a.jsonl", '{"id": 7, "input": "a"}\n{"id": "8", "input": "b"}\n{"id": "7", "input": "c"}\n')
    assert inputs(rows) == ["a", "b"]
    assert "a.jsonl, line 3: id: '7' is already used at line 1." in problems(rows)[0]


def test_equal_rows_without_ids_are_not_duplicates(read: Read) -> None:
    assert inputs(read("a.jsonl", '{"input": "a"}\n' * 2)) == ["a", "a"]


def test_conversations_and_ids_are_read(read: Read) -> None:
    turns = [{"role": "user", "content": "When?"}, {"role": "assistant", "content": "Now."}]
    (row,) = read(
        "a.jsonl", json.dumps({"turns": turns, "retrieved_context_ids": [1, 2], "relevant_ids": {"2": 1}})
    )
    assert isinstance(row, TestCase)
    assert row.input == "When?"
    assert row.turns
    assert row.retrieved_ids == ("1", "2")
    assert row.relevant_ids == {"2": 1}


def test_ids_in_a_table_are_json(read: Read) -> None:
    (row,) = read("a.csv", 'question,retrieved_ids,relevant_ids\nwhy,"[""a"", ""b""]","{""b"": 2}"\n')
    assert isinstance(row, TestCase)
    assert row.retrieved_ids == ("a", "b")
    assert row.relevant_ids == {"b": 2}


def test_overlong_line_is_reported_and_reading_stops(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "LONGEST_ROW", 40)
    rows = read("f.jsonl.gz", gzip.compress(b'{"input": "first"}\n' + b"x" * 10_000_000))
    assert inputs(rows) == ["first"]
    assert problems(rows)[0].endswith("line 2 is longer than 40 characters. Save or download the file again.")


def test_a_file_compressed_twice_is_refused(read: Read) -> None:
    with pytest.raises(BadDataset, match="compressed twice"):
        read("f.jsonl.gz", gzip.compress(gzip.compress(b'{"input": "q"}')))
