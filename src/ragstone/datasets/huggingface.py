"""Objects that hold rows: a Hugging Face dataset, a data frame, an Arrow table, an iterable of mappings.

They are recognised by their methods, so that none of those libraries is imported, or needed. Rows are read one
at a time: a streamed dataset (`IterableDataset`, a generator) stays a stream. An output of LangChain, LlamaIndex or
Haystack is a row, alone or among others.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from ragstone.case import TestCase
from ragstone.datasets.frameworks.outputs import reader
from ragstone.datasets.rows.row import BadRow, RawRow, RowError, to_plain
from ragstone.datasets.rows.shapes import columns
from ragstone.errors import BadDataset


def rows(source: object, name: str) -> Iterator[RawRow | BadRow | TestCase]:
    """Yield the rows of an object; test cases among them are yielded unchanged."""
    return _numbered_rows(_elements(source), name)


def is_streamed(source: object) -> bool:
    """Return whether the rows are fetched anew on each iteration, as those of a Ray Data dataset."""
    return all(callable(getattr(source, name, None)) for name in ("iter_rows", "iter_batches", "materialize"))


def _elements(source: Any) -> Iterable[Any]:  # noqa: ANN401  (whatever the caller has)
    if isinstance(source, type):
        raise BadDataset(f"{source.__name__} is a class, not test cases: give a list, such as [TestCase(…)].")
    if reader(source) is not None:
        return [source]
    if isinstance(source, Mapping):
        return _mapping_rows(cast("Mapping[Any, Any]", source))
    table = _table_rows(source)
    if table is not None:
        return table
    if isinstance(source, Iterable) and not isinstance(source, bytes | bytearray):
        return cast("Iterable[Any]", source)
    for attribute in ("test_cases", "goldens"):  # DeepEval's EvaluationDataset
        if isinstance(getattr(source, attribute, None), list | tuple) and getattr(source, attribute):
            return cast("Iterable[Any]", getattr(source, attribute))
    raise BadDataset(
        f"{_type_name(source)} contains no rows. Give a path, an iterable of TestCase or dict, "
        "a Hugging Face dataset, or a data frame."
    )


def _table_rows(source: Any) -> Iterable[Any] | None:  # noqa: ANN401
    if is_streamed(source):
        return source.iter_rows()
    if callable(getattr(source, "iter_rows", None)) and hasattr(source, "columns"):
        return source.iter_rows(named=True)  # polars
    if callable(getattr(source, "itertuples", None)):  # pandas
        names = [str(column) for column in source.columns]
        return (dict(zip(names, values, strict=True)) for values in source.itertuples(index=False, name=None))
    if callable(getattr(source, "to_batches", None)):  # pyarrow
        return (row for batch in source.to_batches() for row in batch.to_pylist())
    return None


def _mapping_rows(source: Mapping[Any, Any]) -> Iterable[Any]:
    splits = [str(name) for name, value in source.items() if hasattr(value, "features")]
    if splits:
        raise BadDataset(
            f"{_type_name(source)} contains the splits {', '.join(splits)}. Give one: dataset[{splits[0]!r}]."
        )
    row = {str(name): to_plain(value) for name, value in source.items()}
    return columns(row) or [row]


def _numbered_rows(elements: Iterable[Any], name: str) -> Iterator[RawRow | BadRow | TestCase]:
    for number, element in enumerate(elements, start=1):
        if isinstance(element, TestCase):
            yield element
            continue
        place = f"row {number}"
        try:
            yield RawRow(place, _row_values(element))
        except RowError as error:
            yield BadRow(name, place, error.problem, error.instead)


def _row_values(element: Any) -> Mapping[str, Any]:  # noqa: ANN401
    """Return the fields of a row: a mapping, a pydantic model or a dataclass (other tools' test cases)."""
    if isinstance(element, type):
        raise RowError(
            f"{element.__name__} is a class, not a test case.",
            f"Write {element.__name__}(…), with its fields.",
        )
    read = reader(element)
    if read is not None:
        return read(element)
    if isinstance(element, Mapping):
        return cast("Mapping[str, Any]", element)
    if callable(getattr(element, "model_dump", None)):
        return cast("Mapping[str, Any]", element.model_dump(exclude_none=True))
    if dataclasses.is_dataclass(element) and not isinstance(element, type):
        fields = dataclasses.asdict(element)
        return {key: value for key, value in fields.items() if value is not None and not key.startswith("_")}
    raise RowError(
        f"a TestCase or a dict is expected, not {_type_name(element)}.",
        'Give {"input": "…", "actual_output": "…"}.',
    )


def _type_name(value: object) -> str:
    cls = type(value)
    return cls.__name__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__name__}"
