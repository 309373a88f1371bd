"""A row without an end is reported, and read up to a bound, in every text format."""

import gzip
import io
import tracemalloc
from typing import IO, cast

import pytest
from tests.datasets.conftest import Read
from tests.testing.for_each import for_each

from ragstone.case import TestCase
from ragstone.datasets import BadRow, csv, json, jsonl, parquet
from ragstone.datasets.files import json_elements, text
from ragstone.datasets.files.source import Source
from ragstone.datasets.files.text import LONGEST_ROW
from ragstone.datasets.rows import cells
from ragstone.errors import BadDataset

ENDLESS = {
    "a line of JSON lines": ("f.jsonl", b'{"input": "first"}\n{"input": "', b"x"),
    "a text in an array": ("f.json", b'[{"input": "first"}, {"input": "', b"x"),
    "a number in an array": ("f.json", b'[{"input": "first"}, ', b"7"),
    "brackets in an array": ("f.json", b'[{"input": "first"}, ', b"["),
    "members of an object in an array": ("f.json", b'[{"input": "first"}, {"input": "q"', b', "a": 1'),
    "a cell": ("f.csv", b"input,actual_output\nfirst,b\nsecond,", b"x"),
    "a quoted cell": ("f.csv", b'input,actual_output\nfirst,b\nsecond,"', b"x\n"),
    "cells": ("f.csv", b"input,actual_output\nfirst,b\nsecond", b",y"),
    "quoted cells over many lines": ("f.csv", b"input,actual_output\nfirst,b\nsecond", b',"\n"'),
}


@pytest.fixture(autouse=True)
def short_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (csv, json, jsonl, json_elements):
        monkeypatch.setattr(module, "LONGEST_ROW", 200_000)


@pytest.mark.parametrize("kind", ENDLESS)
def test_a_row_without_an_end_is_reported_after_those_before_it(read: Read, kind: str) -> None:
    name, head, unit = ENDLESS[kind]
    packed = gzip.compress(head + unit * (8_000_000 // len(unit)))
    assert len(packed) < 100_000
    tracemalloc.start()
    first, *rest = read(name + ".gz", packed)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(first, TestCase)
    assert first.input == "first"
    assert len(rest) == 1
    assert isinstance(rest[0], BadRow)
    assert "longer than 200,000 characters" in rest[0].problem
    assert peak < 8_000_000


def test_an_object_without_an_end_is_reported(read: Read) -> None:
    content = b'{"input": "q"' + b"".join(b', "name %d": 1' % number for number in range(40_000))
    (row,) = read("f.json", content)
    assert isinstance(row, BadRow)
    assert "longer than 200,000 characters" in row.problem


@pytest.mark.parametrize("unit", [b",a", b"\0", b"input"])
def test_a_header_without_an_end_is_refused(read: Read, unit: bytes) -> None:
    with pytest.raises(BadDataset, match=r"longer than 1,048,576 characters"):
        read("f.csv", b"input,actual_output" + unit * 2_000_000)


class Zeros(io.RawIOBase):
    """A device such as /dev/zero, which counts what is read from it."""

    def __init__(self) -> None:
        self.given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self.given += len(buffer)
        buffer[:] = bytes(len(buffer))
        return len(buffer)


@for_each("reader", [csv, json, jsonl])
def test_endless_device_is_read_only_up_to_a_limit(reader: object) -> None:
    zeros = Zeros()
    source = Source("zeros", "any", cast("IO[bytes]", io.BufferedReader(zeros)), b"\0")
    try:
        found = list(reader.rows(source))  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    except BadDataset:
        found = [None]
    assert len(found) == 1
    assert zeros.given < 3_000_000


BOMBS = {
    "objects in an array": ("f.json", b'[{"input": "q", "x": [{}', b",{}", b"]}]"),
    "objects in an object": ("f.json", b'{"input": "q", "x": [{}', b",{}", b"]}"),
    "objects in a line": ("f.jsonl", b'{"input": "q", "x": [{}', b",{}", b"]}\n"),
    "texts in a line": ("f.jsonl", b'{"input": "q", "retrieval_context": ["a"', b',"ab"', b"]}\n"),
    "a list in a text": ("f.jsonl", b'{"input": "q", "retrieval_context": "[a', b",ab", b']"}\n'),
    "a list in a cell": ("f.csv", b'input,retrieval_context\nq,"[a', b",ab", b']"\n'),
    "texts in a cell": ("f.csv", b"input,retrieval_context\nq,\"['a'", b",'ab'", b']"\n'),
    "terms in a cell": ("f.csv", b'input,retrieval_context\nq,"[1', b"+1", b']"\n'),
    "cells": ("f.csv", b"input,actual_output\nq", b",ab", b"\n"),
}
"""Rows that are short enough, and whose values take many times as much memory as their text."""


@pytest.mark.parametrize("kind", BOMBS)
def test_row_with_too_many_values_is_reported_within_memory_limit(
    read: Read, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (csv, json, jsonl, json_elements):
        monkeypatch.setattr(module, "LONGEST_ROW", LONGEST_ROW)
    for module in (csv, text):
        monkeypatch.setattr(module, "MOST_VALUES", 5_000)
    monkeypatch.setattr(cells, "_MAX_LITERAL_CHARACTERS", 10_000)
    name, head, unit, end = BOMBS[kind]
    content = gzip.compress(head + unit * (60_000 // len(unit)) + end)
    tracemalloc.start()
    (row,) = read(name + ".gz", content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(row, BadRow)
    assert peak < 1_500_000


def test_a_packed_parquet_file_is_unpacked_up_to_a_bound(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "LARGEST", 50_000_000)
    content = gzip.compress(b"PAR1" + bytes(80_000_000), 1)
    tracemalloc.start()
    with pytest.raises(BadDataset, match=r"unpacks to more than 50,000,000 bytes"):
        read("f.parquet.gz", content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30_000_000
