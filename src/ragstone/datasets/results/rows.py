"""Data read from another tool's file: rows with their scores, before conversion to test cases and results."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, cast

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ImportedScore:
    """One score as the tool wrote it, on the tool's own scale; None where it says nothing. `error` prevented it."""

    metric: str
    value: float | None
    success: bool | None = None
    threshold: float | None = None
    reason: str | None = None
    error: str | None = None
    scale: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """One test case as the tool wrote it: its fields, under names that a dataset may have, and its scores."""

    values: Mapping[str, Any]
    scores: Sequence[ImportedScore]


@dataclass(frozen=True, slots=True)
class ImportedRun:
    """A run as the tool wrote it.

    `judge` is the model that judged, or that answered where nothing judged. `complete` is whether the tool says that it
    ended, and `repeated` whether rows with the same id are repetitions of one test case, such as Inspect's epochs.
    """

    tool: str
    version: str
    judge: str
    rows: Sequence[ImportedRow]
    notes: tuple[str, ...] = ()
    complete: bool = field(default=True)
    repeated: bool = False


def as_object(value: object) -> JsonObject:
    """Return a JSON object, an empty one for anything else."""
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """Return a JSON list, an empty one for anything else."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def as_text(value: object) -> str | None:
    """Return a text, None for anything else or an empty one."""
    return value if isinstance(value, str) and value else None


def as_number(value: object) -> float | None:
    """Return a finite number, true and false as 1 and 0, words such as `yes` likewise; None for anything else.

    A number in a text may have a decimal comma, as in `0,71`.
    """
    if isinstance(value, str):
        word = value.strip().lower()
        if word in _WORD_NUMBERS:
            return _WORD_NUMBERS[word]
        value = word.replace(",", ".") if _DECIMAL_COMMA.fullmatch(word) else word
    elif not isinstance(value, bool | int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):  # no number, or an integer of more than 308 digits
        return None
    return number if isfinite(number) else None


_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+")


_WORD_NUMBERS = {"yes": 1.0, "true": 1.0, "pass": 1.0, "no": 0.0, "false": 0.0, "fail": 0.0}


def only(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are neither None nor an empty text."""
    return {name: value for name, value in values.items() if value is not None and value != ""}
