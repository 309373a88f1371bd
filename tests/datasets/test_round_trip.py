"""Laws over the family: the same rows give the same cases, whichever format they were written in."""

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ragstone.case import TestCase
from ragstone.datasets import BadRow, load_dataset, read_dataset
from ragstone.errors import BadDataset

# NUL is refused by design, and surrogates cannot be written: every other character has to come back.
TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=40
).filter(lambda text: bool(text.strip()) and not text.strip().startswith(("[", "array(", "{")))
ROW = st.fixed_dictionaries(
    {"input": TEXT, "retrieval_context": st.lists(TEXT, min_size=1, max_size=4)},
    optional={"actual_output": TEXT, "expected_output": TEXT, "note": TEXT},
)
ROWS = st.lists(ROW, min_size=1, max_size=5)
Write = Callable[[Path, list[dict[str, Any]]], Path]


def jsonl(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "rows.jsonl"
    path.write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8", newline=""
    )
    return path


def json_array(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "rows.json"
    path.write_text(json.dumps(rows, indent=2), encoding="utf-8")
    return path


def packed(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "rows.gz"
    path.write_bytes(gzip.compress(jsonl(folder, rows).read_bytes()))
    return path


def parquet(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "rows.parquet"
    pq.write_table(pa.Table.from_pylist(complete(rows)), path)
    return path


def csv_with(separator: str, spell: Callable[[list[str]], str]) -> Write:
    def write(folder: Path, rows: list[dict[str, Any]]) -> Path:
        path = folder / "rows.csv"
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, list(complete(rows)[0]), delimiter=separator)
            writer.writeheader()
            for row in rows:
                writer.writerow({**row, "retrieval_context": spell(row["retrieval_context"])})
        return path

    return write


def pandas_csv(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "rows.csv"
    # With its default line end pandas leaves a lone carriage return unquoted, which no reader can mend.
    pd.DataFrame(complete(rows)).to_csv(path, index=False, lineterminator="\r\n")
    return path


def complete(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    names = list(dict.fromkeys(name for row in rows for name in row))
    return [{name: row.get(name) for name in names} for row in rows]


def expected(rows: list[dict[str, Any]]) -> list[TestCase]:
    return [
        TestCase(
            **{name: value for name, value in row.items() if name != "note"},
            metadata={"note": row["note"]} if "note" in row else {},
        )
        for row in rows
    ]


WRITERS = {
    "jsonl": jsonl,
    "json": json_array,
    "gzip": packed,
    "parquet": parquet,
    "csv-json": csv_with(",", json.dumps),
    "csv-semicolon-repr": csv_with(";", repr),
    "tsv": csv_with("\t", json.dumps),
    "pandas": pandas_csv,
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(rows=ROWS)
def test_rows_round_trip_through_every_format(write: Write, rows: list[dict[str, Any]]) -> None:
    with TemporaryDirectory() as folder:
        assert list(read_dataset(write(Path(folder), rows))) == expected(rows)


@settings(max_examples=40, deadline=None)
@given(rows=ROWS)
def test_objects_in_memory_give_the_same_cases(rows: list[dict[str, Any]]) -> None:
    assert list(load_dataset(rows)) == expected(rows)
    assert list(load_dataset(pd.DataFrame(complete(rows)))) == expected(rows)
    assert list(load_dataset(pa.Table.from_pylist(complete(rows)))) == expected(rows)


@example(rows=[{"input": "a", "retrieval_context": ["b"]}], at=0, broken="[]")
@settings(max_examples=25, deadline=None)
@given(
    rows=ROWS,
    at=st.integers(0, 5),
    broken=st.sampled_from(["{", "[]", "nul", '{"input": 1}', '"x"', "\udce9"]),
)
def test_a_broken_line_anywhere_never_touches_the_others(
    rows: list[dict[str, Any]], at: int, broken: str
) -> None:
    lines = [json.dumps(row) for row in rows]
    lines.insert(min(at, len(lines)), broken)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        path.write_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))
        found = list(read_dataset(path))
    assert [row for row in found if isinstance(row, TestCase)] == expected(rows)
    assert len(found) == len(rows) + 1


# Pieces that readers look for, between arbitrary bytes: far more of them reach the depths of a reader than noise does.
PIECES = st.sampled_from(
    [
        *(bytes([byte]) for byte in b'[]{}",:\n\r\0\\\xe9'),
        *(b'{"input": "a"}', b'"results": [', b"NaN", b"1e999", b"PAR1", b"\x1f\x8b", b"\xff\xfe"),
        *(b"input,answer\n", b"\xef\xbb\xbf", b"sep=;\n", b"input", b"'a' 'b'", b"array("),
    ]
)
NOISE = st.lists(PIECES | st.binary(max_size=8), max_size=12).map(b"".join)


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.parquet", "a"])
@settings(max_examples=150, deadline=None)
@given(content=NOISE, pack=st.booleans())
def test_any_file_content_gives_rows_or_bad_dataset(
    name: str,
    content: bytes,
    pack: bool,  # noqa: FBT001  (drawn)
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(gzip.compress(content) if pack else content)
        try:
            rows = list(read_dataset(path))
        except BadDataset as error:
            told = [str(error)]
        else:
            told = [str(row) for row in rows if isinstance(row, BadRow)]
    assert all(name in message and "\n" not in message and "\0" not in message for message in told)
