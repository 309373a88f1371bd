"""The rows of a run: of its dataset, its questions to an application, and the answers, for several passes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from ragstone.case import APPLICATION_ERROR, TestCase
from ragstone.datasets import BadRow, read_dataset
from ragstone.datasets.huggingface import is_streamed
from ragstone.metrics.base.selection import MetricSelection
from ragstone.runner.answering import question_rows

_MAX_BYTES_IN_MEMORY = 8_000_000
"""Bytes up to which a file is read once and kept; a larger one is read again, row by row."""

_EXPECTED: Mapping[str, Any] = {
    "actual_output": "answer",
    "retrieval_context": ("passage",),
    "retrieved_ids": ("id",),
    "tools_called": (),
}
"""Stand-ins for the fields that an application may return, to check the metrics before it is asked."""


class DatasetRows:
    """The rows of a dataset, for repeated reading: data that is small, or can be read only once, is kept in memory.

    Attributes:
        limit: how many rows are read at most; None for all.
        kept: the rows, if they are held in memory.
    """

    def __init__(self, data: object, limit: int | None) -> None:
        self._data, self.limit = data, limit
        self.kept = None if _is_large(data) else list(islice(read_dataset(data), limit))

    def __iter__(self) -> Iterator[TestCase | BadRow]:
        return islice(read_dataset(self._data), self.limit) if self.kept is None else iter(self.kept)

    @property
    def large_file(self) -> Path | None:
        """The file, if it is too large to be held in memory."""
        data = _file_of(self._data)
        return Path(data) if self.kept is None and isinstance(data, str | Path) else None

    @property
    def total(self) -> int | None:
        """The number of test cases; None for a large dataset, which would have to be read to its end."""
        return None if self.kept is None else sum(isinstance(row, TestCase) for row in self.kept)

    def cases(self) -> Iterator[TestCase]:
        """Return the rows that could be read."""
        return (row for row in self if isinstance(row, TestCase))

    def count(self, choice: MetricSelection) -> int | None:
        """Return the number of expected results; None if it is not known."""
        return None if self.total is None else self.total * len(choice.metrics)


class DatasetQuestions:
    """The questions of a dataset, each as often as it is asked; an answer in the dataset is replaced by a stand-in."""

    def __init__(self, rows: DatasetRows, repeats: int) -> None:
        self._rows, self._repeats = rows, repeats
        self.total = None if rows.total is None else rows.total * repeats

    def __iter__(self) -> Iterator[TestCase | BadRow]:
        return question_rows(self._rows, self._repeats)

    def cases(self) -> Iterator[TestCase]:
        """Yield each question once, with stand-ins for what the application will return."""
        from ragstone.applications.conversation import expected_turns  # noqa: PLC0415  (few runs have an application)

        for case in self._rows.cases():
            yield case.model_copy(update={**_EXPECTED, "turns": expected_turns(case, _EXPECTED)})


class AnsweredRows:
    """The answered test cases of a run, in input order, as rows that are measured."""

    def __init__(self, read: Callable[[], Iterable[TestCase]], total: int | None) -> None:
        """Read the test cases with `read`, each time anew; `total` is their number, if it is known."""
        self._read, self._total = read, total

    def __iter__(self) -> Iterator[TestCase]:
        return iter(self._read())

    def cases(self) -> Iterator[TestCase]:
        """Yield the test cases that have an answer: those tell which metrics can be measured."""
        return (case for case in self._read() if APPLICATION_ERROR not in case.metadata)

    def count(self, choice: MetricSelection) -> int | None:
        """Return the number of expected results; None if it is not known."""
        return None if self._total is None else self._total * len(choice.metrics)


def _is_large(data: object) -> bool:
    data = _file_of(data)
    if isinstance(data, str | Path):
        path = Path(data)
        return path.is_file() and path.stat().st_size > _MAX_BYTES_IN_MEMORY
    return is_streamed(data)


def _file_of(data: object) -> object:
    """Return the source of a dataset that wraps it with reading options; else the data itself."""
    if isinstance(data, str | Path):
        return data
    from ragstone.datasets import MappedDataset, TraceDataset  # noqa: PLC0415  (a file of rows needs no traces)

    return data.source if isinstance(data, TraceDataset | MappedDataset) else data
