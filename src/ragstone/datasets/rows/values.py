"""Conversion of table values to JSON types: a missing value becomes None, an array a list."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, cast

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
