"""Weekdays of a statement beside the spans of days in the evidence: Monday, if something is open Tuesday to Sunday."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_RANGE = re.compile(
    rf"\b(?P<from>{_DAY})s?(?:\s+(?:to|through|until|till)\s+|\s*[-\u2013]\s*)(?P<to>{_DAY})s?\b",
    re.IGNORECASE,
)
_ONE = re.compile(rf"\b(?P<day>{_DAY})s?\b", re.IGNORECASE)
_OPEN = re.compile(r"\bopens?\b", re.IGNORECASE)
_CLOSED = re.compile(r"\b(?:closed|shut|not open)\b", re.IGNORECASE)


class DaySpan(NamedTuple):
    """A span of consecutive weekdays in a text.

    Attributes:
        words: the text of the span.
        days: the numbers of its days, 0 for Monday.
        opening: whether its sentence says that something is open.
    """

    words: str
    days: frozenset[int]
    opening: bool


def day_spans(sentences: Sequence[str]) -> Iterator[DaySpan]:
    """Yield the spans of days in some sentences."""
    for sentence in sentences:
        for match in _RANGE.finditer(sentence):
            first, last = (_DAYS.index(match[name].lower()) for name in ("from", "to"))
            days = frozenset((first + step) % 7 for step in range((last - first) % 7 + 1))
            opening = bool(_OPEN.search(sentence)) and not _CLOSED.search(sentence)
            yield DaySpan(match.group(), days, opening)


def restate_weekdays(statement: str, sentences: Sequence[str]) -> str:
    """Return a statement about one day in terms of the span that decides it.

    A day within a span is replaced by the span. "Closed on" a day outside the opening days becomes "open on" these.
    """
    if not (found := _lone_day(statement, sentences)):
        return statement
    day, match, known = found
    inside = next((span for span in known if day in span.days), None)
    if inside is not None:
        return statement[: match.start()] + inside.words + statement[match.end() :]
    opening = next((span for span in known if span.opening), None)
    if opening is not None and _CLOSED.search(statement):
        told = statement[: match.start()] + opening.words + statement[match.end() :]
        return _CLOSED.sub("open", told, count=1)
    return statement


def find_closed_day(statement: str, sentences: Sequence[str]) -> tuple[str, str] | None:
    """Return the day on which a statement says that something is open, and the opening days that leave it out."""
    if not (found := _lone_day(statement, sentences)):
        return None
    day, match, known = found
    opening = next((span for span in known if span.opening), None)
    told = (
        _OPEN.search(statement) and not _CLOSED.search(statement) and not re.search(r"\bnot\b|n't", statement)
    )
    if opening is None or not told or any(day in span.days for span in known):
        return None
    return match.group(), opening.words


def _lone_day(statement: str, sentences: Sequence[str]) -> tuple[int, re.Match[str], list[DaySpan]] | None:
    """Return the only day in a statement, its match and all spans.

    None if the statement names no day or several, there is no span, or a sentence names the day outside a span.
    """
    named = list(_ONE.finditer(statement))
    if len(named) != 1 or not (known := list(day_spans(sentences))):
        return None
    apart = " ".join(_RANGE.sub(" ", sentence) for sentence in sentences)
    if re.search(rf"\b{named[0]['day']}s?\b", apart, re.IGNORECASE):
        return None
    return _DAYS.index(named[0]["day"].lower()), named[0], known
