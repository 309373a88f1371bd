import gzip
import os
from pathlib import Path
from threading import Thread
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ragstone.case import TestCase
from ragstone.datasets import BadRow, load_dataset, read_dataset
from ragstone.errors import BadDataset, MissingExtra


def write(path: Path, count: int = 3) -> Path:
    rows = [
        {"question": f"q{number}", "contexts": ["a", "b"], "score": number / 2} for number in range(count)
    ]
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=100)
    return path


def test_rows_of_several_row_groups_come_in_order(tmp_path: Path) -> None:
    cases = load_dataset(write(tmp_path / "a.parquet", 1000))
    assert [case.input for case in cases] == [f"q{number}" for number in range(1000)]
    assert cases[5] == TestCase(input="q5", retrieval_context=("a", "b"), metadata={"score": 2.5})


@pytest.mark.parametrize("name", ["a.pq", "a.bin", "a.csv"])
def test_parquet_is_detected_from_content_not_suffix(tmp_path: Path, name: str) -> None:
    assert len(load_dataset(write(tmp_path / name))) == 3


def test_gzipped_parquet_is_read(tmp_path: Path) -> None:
    packed = tmp_path / "b.parquet.gz"
    packed.write_bytes(gzip.compress(write(tmp_path / "a.parquet").read_bytes()))
    assert len(load_dataset(packed)) == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_opened_once(tmp_path: Path) -> None:
    pipe, content = tmp_path / "pipe.parquet", write(tmp_path / "a.parquet").read_bytes()
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(content,), daemon=True)
    writer.start()
    assert len(load_dataset(pipe)) == 3
    writer.join()


def test_non_parquet_content_raises_bad_dataset(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_text('{"input": "a"}')
    with pytest.raises(BadDataset, match=r"a.parquet is not a Parquet file: it begins with b'{\"input"):
        read_dataset(path)


def test_a_damaged_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet", 500)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(BadDataset, match=r"is a damaged Parquet file: .* Write it again"):
        read_dataset(path)


def test_bad_row_is_reported_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.Table.from_pylist([{"input": "a"}, {"input": None}, {"input": "c"}]), path)
    rows = list(read_dataset(path))
    assert isinstance(rows[1], BadRow)
    assert rows[1].place == "row 2"
    assert [row.input for row in rows if isinstance(row, TestCase)] == ["a", "c"]


def test_without_pyarrow_the_extra_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.parquet")
    with (
        patch.dict("sys.modules", {"pyarrow.parquet": None}),
        pytest.raises(MissingExtra, match=r"Reading Parquet .* pip install 'ragstone\[parquet\]'"),
    ):
        read_dataset(path)
