"""The rows of a dataset, for several passes: to check, count and measure them."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from ragstone.case import TestCase
from ragstone.datasets import BadRow, read_dataset
from ragstone.datasets.huggingface import is_streamed
from ragstone.metrics.base.selection import MetricSelection

_MAX_BYTES_IN_MEMORY = 8_000_000
"""Bytes up to which a file is read once and kept; a larger one is read again, row by row."""


class DatasetRows:
    """The rows of a dataset, for repeated reading: data that is small, or can be read only once, is kept in memory."""

    def __init__(self, data: object, limit: int | None) -> None:
        self._data = data
        self._limit = limit
        self._kept = None if _is_large(data) else list(islice(read_dataset(data), limit))

    def __iter__(self) -> Iterator[TestCase | BadRow]:
        if self._kept is not None:
            return iter(self._kept)
        return islice(read_dataset(self._data), self._limit)

    @property
    def limit(self) -> int | None:
        """How many rows are read at most; None for all."""
        return self._limit

    @property
    def rows(self) -> Sequence[TestCase | BadRow] | None:
        """The rows, if they are held in memory."""
        return self._kept

    @property
    def large_file(self) -> Path | None:
        """The file, if it is too large to be held in memory."""
        data = _file_of(self._data)
        return Path(data) if self._kept is None and isinstance(data, str | Path) else None

    def cases(self) -> Iterator[TestCase]:
        """Return the rows that could be read."""
        return (row for row in self if isinstance(row, TestCase))

    def count(self, choice: MetricSelection) -> int | None:
        """Return the number of expected results; None for a large dataset, which would have to be read to its end."""
        if self._kept is None:
            return None
        return sum(isinstance(row, TestCase) for row in self._kept) * len(choice.metrics)


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
