"""Read a dataset: `read_dataset` streams its test cases, `load_dataset` collects them."""

import itertools
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.resources import files
from os import PathLike, fspath
from pathlib import Path
from typing import Any, cast, overload

from ragstone import plugins
from ragstone.case import TestCase
from ragstone.datasets import huggingface
from ragstone.datasets.files.source import decoded, open_source
from ragstone.datasets.mapping import MappedDataset, renamed
from ragstone.datasets.rows.cases import cases
from ragstone.datasets.rows.row import BadRow, RawRow
from ragstone.errors import BadDataset

DEMO = "demo"
"""Name of the packaged dataset with planted flaws."""
_PACKAGED = {DEMO: "demo.jsonl", "exam": "exam.jsonl"}
"""The packaged datasets, by the name that stands for their file."""


class BadRowWarning(UserWarning):
    """Some rows of a dataset could not be read; `Dataset.bad_rows` lists them."""


@dataclass(frozen=True)
class Dataset(Sequence[TestCase]):
    """The test cases of a dataset, in order, and a report for each row that could not be read.

    Attributes:
        source: where they come from.
        cases: the test cases.
        bad_rows: the reports.
    """

    source: str
    cases: tuple[TestCase, ...]
    bad_rows: tuple[BadRow, ...] = ()

    @overload
    def __getitem__(self, index: int) -> TestCase: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[TestCase, ...]: ...
    def __getitem__(self, index: int | slice) -> TestCase | tuple[TestCase, ...]:
        return self.cases[index]

    def __len__(self) -> int:
        return len(self.cases)


def read_dataset(source: object) -> Iterator[TestCase | BadRow]:
    """Return the test cases of `source` as a stream, with a `BadRow` in the place of each bad row.

    Args:
        source: a path; `-` for standard input; `demo` for the packaged dataset; `name:what` for one that an
            installed package reads; an iterable of TestCase or mappings; a Hugging Face dataset, a data frame,
            an Arrow table; a mapping of columns; an output of LangChain, LlamaIndex or Haystack; a file of traces,
            spans, or the result of `from_traces` or `with_columns`.

    Raises:
        BadDataset: there is no such file, it holds no rows, or it is not a dataset. Raised by this call,
            not during iteration.
        MissingExtra: the format needs an optional dependency.
    """
    name, rows = _open_rows(source)
    stream = _without_junk(rows, name)
    first = next(stream, None)
    if first is None:
        raise BadDataset(f'{name} contains no rows. Write one test case per line, such as {{"input": "…"}}.')
    return itertools.chain([first], stream)


def read_columns(path: str, most: int = 10) -> list[str]:
    """Return the columns that the first rows of a file have, in their order; none if it holds no rows of columns.

    Raises:
        BadDataset: there is no such file, or it cannot be read.
    """
    opened = replace(open_source(path), columns=_ANY_COLUMNS)
    if opened.format == "traces":
        opened.stream.close()
        return []
    rows = import_module(f"ragstone.datasets.{opened.format}").rows(opened)
    named = (row.values for row in itertools.islice(rows, most) if isinstance(row, RawRow))
    return list(dict.fromkeys(str(column) for values in named for column in values))


_ANY_COLUMNS = frozenset({""})
"""Makes a header acceptable in which no column has a known name: the user names them."""

MOST_BAD_ROWS = 10_000
"""Bad rows after which reading stops, if most rows are bad: the file is no dataset."""


def _without_junk(rows: Iterable[TestCase | BadRow], name: str) -> Iterator[TestCase | BadRow]:
    """Yield the rows; stop with a report where more than `MOST_BAD_ROWS`, and most of all, are bad."""
    bad = 0
    for number, row in enumerate(rows, 1):
        yield row
        bad += isinstance(row, BadRow)
        if bad > MOST_BAD_ROWS and bad > number / 2:
            problem = f"the rest is not read: {bad:,} of the first {number:,} rows cannot be read."
            yield BadRow(name, f"after row {number:,}", problem, "Name a file of test cases.")
            return


def load_dataset(source: object) -> Dataset:
    """Return all test cases of `source`, which may be anything that `read_dataset` takes.

    A row that cannot be read does not stop the others: it is kept in `bad_rows`, and a `BadRowWarning` says
    so.

    Raises:
        BadDataset: no row could be read; the message gives the first reason.
        MissingExtra: the format needs an optional dependency.
    """
    good: list[TestCase] = []
    bad: list[BadRow] = []
    for row in read_dataset(source):
        if isinstance(row, BadRow):
            bad.append(row)
        else:
            good.append(row)
    if not good:
        raise BadDataset(f"None of the {len(bad)} rows can be read. The first: {bad[0]}")
    if bad:
        message = f"{len(bad)} of {len(good) + len(bad)} rows cannot be read. The first: {bad[0]}"
        warnings.warn(message, BadRowWarning, stacklevel=2)
    return Dataset(source_name(source), tuple(good), tuple(bad))


def source_name(source: object) -> str:
    """Return the name of a source for messages and reports: its path, or its type."""
    if isinstance(source, str | PathLike):
        return "standard input" if source == "-" else str(fspath(cast("str | PathLike[str]", source)))
    if isinstance(source, MappedDataset):
        return source_name(source.source)
    from ragstone.datasets.traces import TraceDataset  # noqa: PLC0415  (few datasets are traces)

    return source_name(source.source) if isinstance(source, TraceDataset) else f"the {type(source).__name__}"


def _open_rows(source: object) -> tuple[str, Iterator[TestCase | BadRow]]:
    name = source_name(source)
    columns: Mapping[str, str] = {}
    if isinstance(source, MappedDataset):
        source, columns = source.source, source.columns
    if not isinstance(source, str | PathLike):
        from ragstone.datasets.traces import trace_rows_of  # noqa: PLC0415  (see `source_name`)

        return name, trace_rows_of(source, name) or _cases(huggingface.rows(source, name), columns, name)
    plugin_rows = _from_plugin(name)
    if plugin_rows is not None:
        return name, _cases(huggingface.rows(plugin_rows, name), columns, name)
    if name.lower().endswith(_INSPECT_LOG) and Path(name).is_file():
        return name, _cases(_results(name) or iter(()), columns, name)
    packaged = _PACKAGED.get(source) if isinstance(source, str) else None
    path = files("ragstone").joinpath("datasets", "data", packaged) if packaged else name
    opened = replace(open_source("-" if source == "-" else str(path)), columns=frozenset(columns.values()))
    is_json = opened.format in ("json", "jsonl", "traces") and Path(opened.name).is_file()
    results = _results(name) if is_json and _RESULT_SIGNS.search(decoded(opened.head)) else None
    if results is not None:
        opened.stream.close()
        return name, _cases(results, columns, name)
    if columns and opened.format == "traces":
        raise BadDataset(f"{name} contains traces, which have no columns. Leave --map out.")
    reader = import_module(f"ragstone.datasets.{opened.format}")
    return name, _cases(reader.rows(opened), columns, name)


_INSPECT_LOG = ".eval"
_RESULT_SIGNS = re.compile(
    r'"results"\s*:\s*\{|"eval"\s*:\s*\{|"spec"\s*:\s*\{|"test_?[cC]ases"\s*:\s*\[|"conversational|"testRunData"|'
    r'"assessments"\s*:|"columns"\s*:\s*\['
)
"""Files of results have one of these in their first bytes; most datasets do not, and are not read whole."""


def _results(name: str) -> Iterator[RawRow] | None:
    """Return the rows of a file of results of another tool; None for any other file."""
    from ragstone.datasets.results.content import rows  # noqa: PLC0415  (few datasets are results)

    return rows(Path(name))


def _cases(
    rows: Iterator[RawRow | BadRow | TestCase], columns: Mapping[str, str], name: str
) -> Iterator[TestCase | BadRow]:
    return cases(renamed(rows, columns, name) if columns else rows, name)


def _from_plugin(name: str) -> Any:  # noqa: ANN401  (whatever holds rows)
    """Return the dataset that a plug-in loads for `name:what`; None without a plug-in, or if a file has that name."""
    head, colon, argument = name.partition(":")
    entry_point = plugins.installed("dataset").get(head) if colon else None
    return None if entry_point is None or Path(name).exists() else entry_point.load()(argument)
