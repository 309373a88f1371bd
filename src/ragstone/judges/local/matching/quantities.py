"""Quantities that are equal in other units or words: 24 months and two years, 7 p.m. and 19:00, 500 g and half a kilo.

A statement is restated in the units of its evidence before it is compared: word features and encoder do not calculate.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ragstone.text.numbers import NUMBER_WORDS, read_number

_UNIT_SIZES = {
    "time": {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "fortnight": 1_209_600},
    "months": {"month": 1, "year": 12, "decade": 120, "century": 1200},
    "length": {"mm": 1, "millimetre": 1, "millimeter": 1, "cm": 10, "centimetre": 10, "centimeter": 10, "m": 1000,
               "metre": 1000, "meter": 1000, "km": 10**6, "kilometre": 10**6, "kilometer": 10**6},
    "mass": {"mg": 1, "milligram": 1, "g": 1000, "gram": 1000, "gramme": 1000, "kg": 10**6, "kilo": 10**6,
             "kilogram": 10**6, "tonne": 10**9},
    "volume": {"ml": 1, "millilitre": 1, "milliliter": 1, "cl": 10, "centilitre": 10, "l": 1000, "litre": 1000,
               "liter": 1000},
    "count": {"dozen": 12},
}  # fmt: skip
"""The units of each kind, with their sizes as multiples of the smallest unit."""
_UNITS = {unit: (kind, size) for kind, units in _UNIT_SIZES.items() for unit, size in units.items()}
_UNIT_ALIASES = {"min": "minute", "sec": "second", "hr": "hour", "h": "hour", "centuries": "century"}
_GROUPED_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NUMBER_WORD = "|".join(NUMBER_WORDS)
_TENS = "|".join(word for word in NUMBER_WORDS if word.endswith("ty"))
_FRACTIONS = {"half": 0.5, "quarter": 0.25}
_COUNT = "|".join((
    _GROUPED_NUMBER.pattern, r"\d+(?:[.,]\d+)?", "half an?", "a quarter of an?", "an?",
    rf"(?:{_TENS})-(?:{_NUMBER_WORD})", _NUMBER_WORD,
))  # fmt: skip
_QUANTITY = re.compile(
    rf"\b(?P<count>{_COUNT})(?P<inner> and a half)?[ \u00a0-]?(?P<unit>[a-z]{{1,11}})\b"
    r"(?P<outer> and a (?:half|quarter)\b)?",
    re.IGNORECASE,
)
"""One count of a unit: "24 months", "two and a half years", "an hour and a half"."""
_SECOND_PART = re.compile(
    rf"(?:\d|\b(?:hundred|thousand|{_NUMBER_WORD}))\s?(?:[-\u2013x\u00d7.,]\s?|(?:to|or|and|by)\s)\Z",
    re.IGNORECASE,
)
"""Text before the second part of a number or of a range: "a hundred and", "10-"."""
_CONJUNCTION = re.compile(r" (?:and )?")
"""Text between the units of one quantity: "two hours and ten minutes"."""
_LOOKBACK_CHARACTERS = 16
"""Number of characters before a quantity that are searched for the beginning of its number or an amount prefix."""
_TIME_OF_DAY = re.compile(
    r"\b(?:(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))?[ \u00a0]?(?P<half>[ap])\.?m\b\.?"
    r"|(?P<hours>[01]?\d|2[0-3]):(?P<minutes>[0-5]\d)\b|(?P<word>noon|midday|midnight)\b)",
    re.IGNORECASE,
)
_AMOUNT_PREFIX = re.compile(
    r"\b(?:within|for|after|in|about|than|over|under|lasts?|takes?|least|most|of|nearly|almost)\s+\Z",
    re.IGNORECASE,
)
"""Words before "a day" that make it an amount."""
_MAX_SYMBOL_LENGTH = 2
"""Maximum length of a word that is not read as a plural: "ms" is not several "m"."""
_TIME_WORDS = {"noon": 720.0, "midday": 720.0, "midnight": 0.0}
_RELATIVE_TOLERANCE = 1e-9
_CACHE_SIZE = 8
"""Number of sets of passages whose quantities are cached."""


class UnitAmount(NamedTuple):
    """A quantity in a text.

    Attributes:
        start: offset of its beginning in the text.
        end: offset of its end.
        kind: what is measured: "time", "months", "length", "mass", "volume", "count" or "clock".
        value: in the smallest unit of its kind.
        unit_size: size of its last unit; 0 for a time of day.
    """

    start: int
    end: int
    kind: str
    value: float
    unit_size: int = 0


def find_quantities(text: str) -> Iterator[UnitAmount]:
    """Yield the quantities of a text that have a unit, and its times of day."""
    previous: UnitAmount | None = None
    for amount in _single_unit_amounts(text):
        if previous and _continues(previous, amount, text):
            previous = previous._replace(
                end=amount.end, value=previous.value + amount.value, unit_size=amount.unit_size
            )
            continue
        if previous:
            yield previous
        previous = amount
    if previous:
        yield previous
    for match in _TIME_OF_DAY.finditer(text):
        if (value := _minutes(match)) is not None:
            yield UnitAmount(match.start(), match.end(), "clock", value)


def _single_unit_amounts(text: str) -> Iterator[UnitAmount]:
    """Yield each quantity of one unit."""
    for match in _QUANTITY.finditer(text):
        kind, size = _unit(match["unit"].lower())
        before = text[max(0, match.start() - _LOOKBACK_CHARACTERS) : match.start()]
        if kind and not _SECOND_PART.search(before) and not _is_rate(match["count"], before):
            yield UnitAmount(match.start(), match.end(), kind, _count(match) * size, size)


def _continues(previous: UnitAmount, amount: UnitAmount, text: str) -> bool:
    """Whether a quantity is a smaller part of the one before it: "ten minutes" of "two hours and ten minutes"."""
    joined = _CONJUNCTION.fullmatch(text, previous.end, amount.start) is not None
    return joined and amount.kind == previous.kind and amount.value < previous.unit_size


def _unit(word: str) -> tuple[str, int]:
    """Return the kind of a unit and its size; an empty kind if the word is no unit, such as "ms"."""
    singular = word.removesuffix("s") if len(word) > _MAX_SYMBOL_LENGTH else word
    names = (_UNIT_ALIASES.get(word, word), _UNIT_ALIASES.get(singular, singular))
    return next((_UNITS[name] for name in names if name in _UNITS), ("", 0))


def _is_rate(count: str, before: str) -> bool:
    """Whether "a day" is not an amount of time: "once a day", "a second driver"."""
    return count.lower() in {"a", "an"} and not _AMOUNT_PREFIX.search(before)


def _count(match: re.Match[str]) -> float:
    """Return how many units a match counts."""
    fractions = " ".join(filter(None, (match["inner"], match["outer"])))
    return _read_count(match["count"].lower()) + sum(
        size for part, size in _FRACTIONS.items() if part in fractions.lower()
    )


def _read_count(count: str) -> float:
    if count in {"a", "an"}:
        return 1.0
    if count[0].isalpha():
        return next((size for part, size in _FRACTIONS.items() if part in count), 0.0) or sum(
            float(read_number(word) or "nan") for word in count.split("-")
        )
    digits = count.replace(",", "" if _GROUPED_NUMBER.fullmatch(count) else ".")
    return float(read_number(digits) or "nan")


def _minutes(match: re.Match[str]) -> float | None:
    """Return the minutes since midnight, None for an hour that a 12-hour clock does not have."""
    if match["word"]:
        return _TIME_WORDS[match["word"].lower()]
    if match["hours"]:
        return int(match["hours"]) * 60.0 + int(match["minutes"])
    hour = int(match["hour"])
    if not 1 <= hour <= 12:  # noqa: PLR2004 - the hours of a 12-hour clock
        return None
    return (hour % 12 + 12 * (match["half"].lower() == "p")) * 60.0 + int(match["minute"] or 0)


def restate_quantities(statement: str, passages: tuple[str, ...]) -> str:
    """Return a statement with each quantity replaced by the evidence's words for an equal one."""
    text = statement
    for amount in sorted(find_quantities(statement), reverse=True):
        words = statement[amount.start : amount.end]
        equal_texts = [
            other_words for other_words, other in _written_amounts(passages) if _is_equal(amount, other)
        ]
        if equal_texts and not any(
            _normalise(other_words) == _normalise(words) for other_words in equal_texts
        ):
            text = text[: amount.start] + equal_texts[0] + text[amount.end :]
    return text


@lru_cache(maxsize=_CACHE_SIZE)
def _written_amounts(passages: tuple[str, ...]) -> tuple[tuple[str, UnitAmount], ...]:
    """Return the quantities of the evidence, each with its words; cached for all statements on the same evidence."""
    return tuple((passage[q.start : q.end], q) for passage in passages for q in find_quantities(passage))


def _is_equal(first: UnitAmount, second: UnitAmount) -> bool:
    return first.kind == second.kind and abs(first.value - second.value) <= _RELATIVE_TOLERANCE * abs(
        second.value
    )


def _normalise(words: str) -> str:
    return re.sub(r"[\s.-]", "", words.casefold()).removesuffix("s")
