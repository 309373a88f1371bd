"""What a vendor allows in a request body: a table of fields, and the first thing that does not fit it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Wrong = Literal["unknown", "missing", "type", "low", "high", "choice"]


@dataclass(frozen=True)
class Field:
    """One field: its JSON types, its bounds, whether it must be there."""

    types: tuple[type, ...]
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    required: bool = False


@dataclass(frozen=True)
class Misfit:
    """The first thing wrong with a body: which field, in which way."""

    name: str
    wrong: Wrong
    field: Field | None
    value: Any = None


def number(low: float | None = None, high: float | None = None) -> Field:
    return Field((int, float), low, high)


def integer(low: float | None = None, high: float | None = None, *, required: bool = False) -> Field:
    return Field((int,), low, high, required=required)


def text(*choices: str, required: bool = False) -> Field:
    return Field((str,), choices=choices, required=required)


def flag() -> Field:
    return Field((bool,))


def anything() -> Field:
    return Field((object,))


def listed(*, required: bool = False) -> Field:
    return Field((list,), required=required)


def mapping(*, required: bool = False) -> Field:
    return Field((dict,), required=required)


def misfit(body: Mapping[str, Any], fields: Mapping[str, Field]) -> Misfit | None:
    """The first unknown, missing, ill-typed or out-of-range field of a body."""
    for name in body:
        if name not in fields:
            return Misfit(name, "unknown", None, body[name])
    for name, field in fields.items():
        if name not in body:
            if field.required:
                return Misfit(name, "missing", field)
            continue
        wrong = _wrong(body[name], field)
        if wrong is not None:
            return Misfit(name, wrong, field, body[name])
    return None


def _wrong(value: Any, field: Field) -> Wrong | None:
    fits = isinstance(value, field.types)
    if isinstance(value, bool) and bool not in field.types and object not in field.types:
        fits = False
    if value is None and not field.required:
        return None
    if not fits:
        return "type"
    if field.choices and value not in field.choices:
        return "choice"
    if field.low is not None and value < field.low:
        return "low"
    if field.high is not None and value > field.high:
        return "high"
    return None
