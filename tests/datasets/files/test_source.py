import io
import os
import sys
import threading
from pathlib import Path

import pytest
from tests.testing.for_each import for_each

from ragstone.case import TestCase
from ragstone.datasets import load_dataset, read_dataset
from ragstone.datasets.files import source
from ragstone.datasets.files.source import open_source
from ragstone.errors import BadDataset

LINES = b'{"input": "a"}\n{"input": "b"}\n'


class Drip(io.RawIOBase):
    """A pipe whose writer is slow: one byte at a time."""

    def __init__(self, content: bytes) -> None:
        self.rest = content

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        head, self.rest = self.rest[:1], self.rest[1:]
        buffer[: len(head)] = head
        return len(head)


@pytest.mark.parametrize("content", [LINES, b"question\na\nb\n", b'[{"input": "a"}, {"input": "b"}]'])
def test_standard_input_format_is_detected_from_content(
    content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin = io.TextIOWrapper(io.BufferedReader(Drip(content), 16))
    monkeypatch.setattr(sys, "stdin", stdin)
    dataset = load_dataset("-")
    assert [case.input for case in dataset] == ["a", "b"]
    assert dataset.source == "standard input"
    assert not stdin.buffer.closed


def test_dash_means_standard_input_even_if_a_file_has_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-").write_bytes(LINES)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINES)))
    assert open_source("-").path is None


def test_a_named_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "rows"
    os.mkfifo(pipe)
    if os.fork() == 0:  # pragma: no cover  (the writer)
        with pipe.open("wb") as stream:
            stream.write(LINES)
        os._exit(0)
    assert [case.input for case in load_dataset(pipe)] == ["a", "b"]
    os.wait()


def test_named_pipe_without_writer_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "WRITER_TIMEOUT", 0.1)
    pipe = tmp_path / "rows"
    os.mkfifo(pipe)
    with pytest.raises(BadDataset, match="No process has written to the pipe"):
        load_dataset(pipe)


def test_a_writer_that_writes_late_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "WRITER_TIMEOUT", 0.1)
    pipe = tmp_path / "rows"
    os.mkfifo(pipe)
    both = os.open(pipe, os.O_RDWR)
    timer = threading.Timer(0.3, lambda: (os.write(both, LINES), os.close(both)))
    timer.start()
    assert [case.input for case in load_dataset(pipe)] == ["a", "b"]
    timer.join()


@pytest.mark.parametrize("name", ["rows", "rows.txt", "rows.json.jsonl"])
def test_unknown_suffix_is_read_by_its_content(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(LINES)
    assert len(load_dataset(str(path))) == 2


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"PK\x03\x04....", "a zip archive or an Excel workbook: unpack it, or save the sheet as CSV"),
        (b"BZh91AY", "compressed with bzip2"),
        (b"<!DOCTYPE html><html>", "a web page or XML"),
        (b"SQLite format 3\0", "an SQLite database"),
    ],
)
def test_files_of_other_kinds_are_named(tmp_path: Path, content: bytes, what: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadDataset, match=rf"a\.jsonl is {what}"):
        read_dataset(path)


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_an_empty_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadDataset, match=r"a\.jsonl is empty\. Write one test case per line"):
        read_dataset(path)


def test_a_missing_file_with_a_near_name(tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_bytes(LINES)
    with pytest.raises(
        BadDataset, match=r"There is no file .*answer\.jsonl'\. Did you mean .*answers\.jsonl'\?"
    ):
        read_dataset(tmp_path / "answer.jsonl")


def test_directory_error_lists_its_data_files(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("input\na\n")
    (tmp_path / "b.png").write_text("")
    with pytest.raises(BadDataset, match=r"is a directory\. Name one file in it\. It contains a\.csv\.$"):
        read_dataset(tmp_path)


@for_each(
    "name, message",
    [
        ("https://example.org/a.jsonl", "is an address, not a file"),
        ("a\0b", "cannot be read: embedded null byte"),
        ("x" * 5000, "cannot be read: File name too long"),
        ("", "is a directory"),
    ],
)
def test_invalid_file_names_raise_bad_dataset(name: str, message: str) -> None:
    with pytest.raises(BadDataset, match=message):
        read_dataset(name)


def test_gzip_file_with_damaged_header_raises_bad_dataset(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(b"\x1f\x8b\x08\x00garbage")
    with pytest.raises(BadDataset, match=r"a\.jsonl\.gz cannot be read"):
        read_dataset(path)


def test_the_file_is_closed_when_the_stream_is_left_early(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    source = open_source(str(path))
    source.stream.close()  # an unclosed file is a ResourceWarning, which the tests take for an error
    assert source.format == "jsonl"
    assert source.head == LINES
    rows = read_dataset(path)
    assert isinstance(next(rows), TestCase)
