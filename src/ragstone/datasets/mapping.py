"""Columns with names of their own: a dataset with a mapping from fields of a test case to columns.

A column may be nested: `input.prompt` is `prompt` inside `input`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from ragstone.case import ALIASES, TestCase
from ragstone.datasets.rows.field_names import normalize_name
from ragstone.datasets.rows.row import BadRow, RawRow
from ragstone.errors import BadDataset, BadOption, UnknownName


@dataclass(frozen=True)
class MappedDataset:
    """A dataset whose columns are named by the user; the result of `with_columns`.

    Attributes:
        source: whatever `load_dataset` takes, except traces.
        columns: field of the test case → column.
    """

    source: object
    columns: Mapping[str, str]


def with_columns(source: object, columns: Mapping[str, str]) -> MappedDataset:
    """Return a dataset with the columns that fields of the test case are read from.

    Args:
        source: whatever `load_dataset` takes, except traces.
        columns: field → column; the field by any of its names, such as `question` for `input`.

    Raises:
        UnknownName: a test case has no such field.
    """
    return MappedDataset(source, {_field(name): column for name, column in columns.items()})


def parse_columns(texts: Iterable[str]) -> dict[str, str]:
    """Return the mapping in texts such as `question=prompt,contexts=docs`.

    Raises:
        BadOption: a part is not of the form field=column.
    """
    columns: dict[str, str] = {}
    for part in (part for text in texts for part in text.split(",") if part.strip()):
        field, equals, column = part.partition("=")
        if not (field.strip() and equals and column.strip()):
            raise BadOption(f"{part!r} is not field=column: write --map question=prompt,contexts=docs")
        columns[field.strip()] = column.strip()
    return columns


def renamed(
    rows: Iterable[RawRow | BadRow | TestCase], columns: Mapping[str, str], source: str
) -> Iterator[RawRow | BadRow | TestCase]:
    """Yield the rows with the columns under the names of their fields.

    Raises:
        BadDataset: the first row lacks a column.
    """
    checked = False
    for row in rows:
        if isinstance(row, RawRow):
            values = dict(row.values)
            found = {field: _take(values, column) for field, column in columns.items()}
            missing = next((columns[field] for field, (is_there, _) in found.items() if not is_there), None)
            if missing is not None and not checked:
                problem = UnknownName("column", missing, map(str, row.values))
                raise BadDataset(f"{source}, {row.place}: {problem}")
            checked = True
            yield RawRow(
                row.place, {**values, **{field: _value(field, *one) for field, one in found.items()}}
            )
        else:
            yield row


def _value(field: str, _: bool, value: Any) -> Any:  # noqa: ANN401, FBT001
    """Return one text in a field of passages as a list of one passage; any other value unchanged."""
    is_text = isinstance(value, str) and value.strip() and not value.lstrip().startswith(("[", "array("))
    return [value] if is_text and field in ("retrieval_context", "context") else value


def _take(values: dict[str, Any], column: str) -> tuple[bool, Any]:
    """Return whether there is such a column, and its value; remove it if it is not nested."""
    if column in values:
        return True, values.pop(column)
    value: Any = values
    for part in column.split("."):
        if not isinstance(value, dict) or part not in value:
            return False, None
        value = cast("dict[str, Any]", value)[part]
    return True, value


def _field(name: str) -> str:
    normalized = normalize_name(name)
    field = next((field for field, names in ALIASES.items() if normalized in names), None)
    if field is None:
        raise UnknownName("field of a test case", name, ALIASES)
    return field
