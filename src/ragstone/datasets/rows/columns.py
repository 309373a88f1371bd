"""A table written column by column: `{"question": […], "answer": […]}`."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from ragstone.datasets.rows.field_names import ALIASES, normalize_name


def columns(table: Mapping[str, Any]) -> Iterator[dict[str, Any]] | None:
    """Return the rows of a table that is written column by column; None where it is one row.

    It is a table where every value is a list of the same length and the column of inputs is among them: the
    input of a single row is no list, but for a conversation, whose elements are mappings.
    """
    lists = {name: cast("list[Any]", value) for name, value in table.items() if isinstance(value, list)}
    lengths = {len(values) for values in lists.values()}
    asked = [values for name, values in lists.items() if normalize_name(name) in ALIASES["input"]]
    if (
        len(lists) < len(table)
        or len(lengths) != 1
        or not asked
        or any(isinstance(item, dict) for item in asked[0])
    ):
        return None
    return (dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True))
