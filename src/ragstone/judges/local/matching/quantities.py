"""Quantities that are equal in other units or words: 24 months and two years, 7 p.m. and 19:00, 500 g and half a kilo.

A statement is restated in the terms of its evidence before anything is compared: neither words nor encoder calculate.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ragstone.judges.local.text.numbers import read_number

_SIZES = {
    "time": (1, {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "fortnight": 1_209_600}),
    "months": (1, {"month": 1, "year": 12, "decade": 120, "century": 1200}),
    "length": (0.001, {"millimetre": 1, "millimeter": 1, "mm": 1, "centimetre": 10, "centimeter": 10, "cm": 10,
                       "metre": 1000, "meter": 1000, "m": 1000, "kilometre": 10**6, "kilometer": 10**6, "km": 10**6}),
    "mass": (1, {"mg": 0.001, "milligram": 0.001, "gram": 1, "gramme": 1, "g": 1, "kilogram": 1000, "kilo": 1000,
                 "kg": 1000, "tonne": 10**6}),
    "volume": (1, {"ml": 1, "millilitre": 1, "milliliter": 1, "cl": 10, "centilitre": 10, "litre": 1000, "liter": 1000,
                   "l": 1000}),
    "count": (1, {"dozen": 12}),
}  # fmt: skip
_UNITS = {
    unit: (kind, scale * size) for kind, (scale, units) in _SIZES.items() for unit, size in units.items()
}
_SHORT = {"min": "minute", "sec": "second", "hr": "hour", "h": "hour", "centuries": "century"}
_COUNT = (
    r"\d+(?:[.,]\d+)?|half an?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|\
thirty|forty|fifty|sixty|seventy|eighty|ninety"
)
_QUANTITY = re.compile(rf"\b(?P<count>{_COUNT})[ \u00a0-]?(?P<unit>[a-z]{{1,11}})\b", re.IGNORECASE)
_CLOCK = re.compile(
    r"\b(?:(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))?[ \u00a0]?(?P<half>[ap])\.?m\b\.?"
    r"|(?P<hours>[01]?\d|2[0-3]):(?P<minutes>[0-5]\d)\b|(?P<word>noon|midday|midnight)\b)",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\b(?:within|for|after|in|about|than|over|under|lasts?|takes?|least|most|of|nearly|almost)\s+\Z",
    re.IGNORECASE,
)
"""Words before "a day" that make it an amount."""
_WORDS = {"noon": 720.0, "midday": 720.0, "midnight": 0.0}
_CLOSE = 1e-9


class WrittenAmount(NamedTuple):
    """A quantity in a text.

    Attributes:
        start: where it begins.
        end: where it ends.
        kind: what is measured: "time", "months", "length", "mass", "volume", "count" or "clock".
        value: in the smallest unit of its kind.
    """

    start: int
    end: int
    kind: str
    value: float


def quantities(text: str) -> Iterator[WrittenAmount]:
    """Yield the quantities of a text that have a unit, and its times of day."""
    for match in _QUANTITY.finditer(text):
        unit = match["unit"].lower()
        unit = _SHORT.get(unit, unit)
        kind, size = _UNITS.get(unit) or _UNITS.get(unit.removesuffix("s")) or ("", 0.0)
        if kind and not _is_rate(match, text):
            yield WrittenAmount(match.start(), match.end(), kind, _count(match["count"]) * size)
    for match in _CLOCK.finditer(text):
        if (value := _minutes(match)) is not None:
            yield WrittenAmount(match.start(), match.end(), "clock", value)


def _is_rate(match: re.Match[str], text: str) -> bool:
    """Whether "a day" is no amount of time: "once a day", "a second driver"."""
    if match["count"].lower() not in {"a", "an"}:
        return False
    return not _AMOUNT.search(text[max(0, match.start() - 12) : match.start()])


def _count(text: str) -> float:
    low = text.lower()
    if low in {"a", "an"}:
        return 1.0
    if low.startswith("half"):
        return 0.5
    return float(read_number(low.replace(",", ".")) or "nan")


def _minutes(match: re.Match[str]) -> float | None:
    """Return the minutes since midnight, None for an hour that no clock shows."""
    if match["word"]:
        return _WORDS[match["word"].lower()]
    if match["hours"]:
        return int(match["hours"]) * 60.0 + int(match["minutes"])
    hour = int(match["hour"])
    if not 1 <= hour <= 12:  # noqa: PLR2004 - as on a clock's face
        return None
    return (hour % 12 + 12 * (match["half"].lower() == "p")) * 60.0 + int(match["minute"] or 0)


def restated(statement: str, passages: Iterable[str]) -> str:
    """Return a statement with each quantity as its evidence writes an equal one, where it does so otherwise."""
    mine = list(quantities(statement))
    if not mine:
        return statement
    known = [(passage[q.start : q.end], q) for passage in passages for q in quantities(passage)]
    text = statement
    for quantity in sorted(mine, reverse=True):
        said = statement[quantity.start : quantity.end]
        equal = [
            words
            for words, other in known
            if other.kind == quantity.kind and abs(other.value - quantity.value) <= _CLOSE * abs(other.value)
        ]
        if equal and not any(_plain(words) == _plain(said) for words in equal):
            text = text[: quantity.start] + equal[0] + text[quantity.end :]
    return text


def _plain(words: str) -> str:
    return re.sub(r"[\s.-]", "", words.casefold()).removesuffix("s")
