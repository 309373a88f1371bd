"""Weekdays of a statement and spans of days in the evidence: "Monday" where something is open Tuesday to Sunday."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY_PATTERN = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DAY_RANGE = re.compile(
    rf"\b(?P<from>{_DAY_PATTERN})s?(?:\s+(?:to|through|until|till)\s+|\s*[-\u2013]\s*)(?P<to>{_DAY_PATTERN})s?\b",
    re.IGNORECASE,
)
_SINGLE_DAY = re.compile(rf"\b(?P<day>{_DAY_PATTERN})s?\b", re.IGNORECASE)
_OPEN = re.compile(r"\bopens?\b", re.IGNORECASE)
_CLOSED = re.compile(r"\b(?:closed|shut|not open)\b", re.IGNORECASE)


class DaySpan(NamedTuple):
    """A span of consecutive weekdays in a text.

    Attributes:
        text: the text of the span.
        days: the numbers of its days, with 0 for Monday.
        is_opening: whether its sentence says that something is open.
    """

    text: str
    days: frozenset[int]
    is_opening: bool


def day_spans(sentences: Sequence[str]) -> Iterator[DaySpan]:
    """Yield the spans of days in some sentences."""
    for sentence in sentences:
        for match in _DAY_RANGE.finditer(sentence):
            first, last = (_WEEKDAYS.index(match[name].lower()) for name in ("from", "to"))
            days = frozenset((first + step) % 7 for step in range((last - first) % 7 + 1))
            opening = bool(_OPEN.search(sentence)) and not _CLOSED.search(sentence)
            yield DaySpan(match.group(), days, opening)


def restate_weekdays(statement: str, sentences: Sequence[str]) -> str:
    """Return a statement about one day, restated with the span of days that decides it.

    A day within a span is replaced by the span. "Closed on" a day outside the opening days becomes "open on" these.
    """
    if not (mention := _only_day(statement, sentences)):
        return statement
    day, match, spans = mention
    containing = next((span for span in spans if day in span.days), None)
    if containing is not None:
        return statement[: match.start()] + containing.text + statement[match.end() :]
    opening_span = next((span for span in spans if span.is_opening), None)
    if opening_span is not None and _CLOSED.search(statement):
        restated = statement[: match.start()] + opening_span.text + statement[match.end() :]
        return _CLOSED.sub("open", restated, count=1)
    return statement


def find_closed_day(statement: str, sentences: Sequence[str]) -> tuple[str, str] | None:
    """Return the day on which a statement says that something is open, and the opening days without it."""
    if not (mention := _only_day(statement, sentences)):
        return None
    day, match, spans = mention
    opening_span = next((span for span in spans if span.is_opening), None)
    says_open = (
        _OPEN.search(statement) and not _CLOSED.search(statement) and not re.search(r"\bnot\b|n't", statement)
    )
    if opening_span is None or not says_open or any(day in span.days for span in spans):
        return None
    return match.group(), opening_span.text


def _only_day(statement: str, sentences: Sequence[str]) -> tuple[int, re.Match[str], list[DaySpan]] | None:
    """Return the only day in a statement, its match and all spans.

    None if the statement names no day or several, there is no span, or a sentence names the day outside a span.
    """
    matches = list(_SINGLE_DAY.finditer(statement))
    if len(matches) != 1 or not (spans := list(day_spans(sentences))):
        return None
    text_without_spans = " ".join(_DAY_RANGE.sub(" ", sentence) for sentence in sentences)
    if re.search(rf"\b{matches[0]['day']}s?\b", text_without_spans, re.IGNORECASE):
        return None
    return _WEEKDAYS.index(matches[0]["day"].lower()), matches[0], spans
