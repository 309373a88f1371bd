from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pydantic import BaseModel
from tests.testing.for_each import for_each

from ragstone.case import TestCase
from ragstone.datasets import BadRow, load_dataset, read_dataset
from ragstone.datasets.huggingface import is_streamed
from ragstone.errors import BadDataset

ROWS: list[dict[str, Any]] = [
    {"question": "a", "contexts": ["x", "y"], "answer": "b"},
    {"question": "c", "contexts": ["z"], "answer": None},
]
CASES = [
    TestCase(input="a", retrieval_context=("x", "y"), actual_output="b"),
    TestCase(input="c", retrieval_context=("z",)),
]


class HuggingFaceLike:
    """The part of `datasets.Dataset` that is relied on: features, and iteration over dicts."""

    features = dict.fromkeys(ROWS[0])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(ROWS)


class Sample(BaseModel):
    """A test case of another tool, as a pydantic model."""

    user_input: str
    retrieved_contexts: list[str]
    response: str | None


@dataclass
class Golden:
    """A test case of another tool, as a dataclass."""

    input: str
    retrieval_context: list[str]
    actual_output: str | None
    _private: int = 3


@for_each(
    "source",
    [
        ROWS,
        CASES,
        (row for row in ROWS),
        HuggingFaceLike(),
        pd.DataFrame(ROWS),
        pa.Table.from_pylist(ROWS),
        {name: [row[name] for row in ROWS] for name in ROWS[0]},
        [
            Sample(user_input=r["question"], retrieved_contexts=r["contexts"], response=r["answer"])
            for r in ROWS
        ],
        [Golden(r["question"], r["contexts"], r["answer"]) for r in ROWS],
    ],
    ids=lambda source: type(source).__name__,
)
def test_every_kind_of_row_container_gives_same_cases(source: object) -> None:
    assert list(load_dataset(source)) == CASES


def test_pandas_missing_values_and_arrays_are_converted() -> None:
    frame = pd.DataFrame(
        {
            "input": ["q", "r"],
            "answer": ["a", float("nan")],
            "contexts": [np.array(["x"], dtype=object), None],
            "when": [pd.Timestamp("2024-05-01"), pd.NaT],
            "score": pd.array([1, None], dtype="Int64"),
        }
    )
    first, second = load_dataset(frame)
    assert first == TestCase(
        input="q",
        actual_output="a",
        retrieval_context=("x",),
        metadata={"when": "2024-05-01T00:00:00", "score": 1},
    )
    assert second == TestCase(input="r")


def test_iterator_is_read_lazily() -> None:
    taken: list[int] = []

    def endless() -> Iterator[dict[str, str]]:
        while True:
            taken.append(1)
            yield {"input": str(len(taken))}

    rows = read_dataset(endless())
    assert [row.input for row, _ in zip(rows, range(3), strict=False) if isinstance(row, TestCase)] == [
        "1",
        "2",
        "3",
    ]
    assert len(taken) <= 4


def test_one_mapping_is_one_row() -> None:
    assert load_dataset({"input": "q", "contexts": ["a"]}).cases == (
        TestCase(input="q", retrieval_context=("a",)),
    )


def test_dict_of_splits_error_lists_the_splits() -> None:
    with pytest.raises(
        BadDataset, match=r"dict contains the splits train, test. Give one: dataset\['train'\]"
    ):
        load_dataset({"train": HuggingFaceLike(), "test": HuggingFaceLike()})


@for_each("source", [None, 5, b"bytes", object()])
def test_objects_without_rows_raise_bad_dataset(source: object) -> None:
    with pytest.raises(BadDataset, match="contains no rows"):
        load_dataset(source)


def test_list_element_that_is_not_a_row_is_reported() -> None:
    rows = list(read_dataset([ROWS[0], "text"]))
    assert isinstance(rows[1], BadRow)
    assert str(rows[1]).startswith("the list, row 2: a TestCase or a dict is expected, not str. Give {")


def test_an_object_that_holds_test_cases_is_read() -> None:
    """The part of DeepEval's EvaluationDataset that is relied on."""

    @dataclass
    class Golden:
        input: str
        expected_output: str

    class Holder:
        def __init__(self, test_cases: list[Any], goldens: list[Any]) -> None:
            self.test_cases, self.goldens = test_cases, goldens

    golden = Golden("q", "e")
    assert load_dataset(Holder([], [golden]))[0].expected_output == "e"
    assert load_dataset(Holder([{"input": "made"}], [golden]))[0].input == "made"
    with pytest.raises(BadDataset, match="contains no rows"):
        load_dataset(Holder([], []))


class RayLike:
    """The part of `ray.data.Dataset` that is relied on; it has the columns of a polars frame too, as a method."""

    read = 0

    def iter_rows(self) -> Iterator[dict[str, Any]]:
        for row in ROWS:
            self.read += 1
            yield row

    def iter_batches(self) -> None: ...
    def materialize(self) -> None: ...
    def columns(self) -> list[str]:
        return list(ROWS[0])


def test_a_dataset_of_ray_data_is_read_row_by_row() -> None:
    source = RayLike()
    rows = read_dataset(source)
    assert next(rows) == CASES[0]
    assert source.read == 1
    assert list(rows) == CASES[1:]
    assert is_streamed(source)
    assert not is_streamed(pd.DataFrame(ROWS))
