"""The output of readers: a raw row with its position, or a report on a bad one."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row before conversion: its position, such as `line 7`, and names and values of the tool that wrote it."""

    place: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BadRow:
    """A report on a row that cannot be judged. The other rows are judged nevertheless.

    Attributes:
        source: the file or object that the rows were read from.
        place: position of the row in it, such as `line 7`.
        problem: what is wrong, with the value.
        instead: what to write instead.
    """

    source: str
    place: str
    problem: str
    instead: str

    def __str__(self) -> str:
        """Return source, place, problem and remedy as one line."""
        return f"{self.source}, {self.place}: {self.problem} {self.instead}"


class RowError(Exception):
    """An invalid value whose position is not known yet."""

    def __init__(self, problem: str, instead: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.instead = instead


_MISSING_TYPES = {"NAType", "NaTType"}  # pandas marks missing values by these, without being imported here


def to_plain(value: Any) -> Any:  # noqa: ANN401  (any value of a table)
    """Return `value` as None, a text, a number, or lists and dicts of those.

    Not-a-number, pandas' NA and NaT are missing values: None. Dates become ISO texts, bytes their length.
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in cast("Mapping[object, Any]", value).items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(item) for item in cast("Iterable[Any]", value)]
    return _convert_foreign(value)


def _convert_foreign(value: Any) -> Any:  # noqa: ANN401
    if type(value).__name__ in _MISSING_TYPES:
        return None
    if isinstance(value, bytes | bytearray):
        return f"<{len(value)} bytes>"
    for method in ("tolist", "isoformat", "model_dump"):  # numpy, dates, pydantic
        convert = getattr(value, method, None)
        if callable(convert):
            return to_plain(convert())
    return str(value)


def is_missing(value: Any) -> bool:  # noqa: ANN401
    """Return whether a plain value is missing: None, a blank text, an empty list or mapping."""
    return value is None or (isinstance(value, str) and not value.strip()) or value in ([], {})
