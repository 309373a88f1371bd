"""Rules that decide whether a passage states a fact: subject, value and attribute in one or two adjacent sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.passage import DraftPassage
from ragstone.drafts.words import content_set, content_words
from ragstone.text.sentences import sentences

_NUMBER = re.compile(
    r"(?P<before>[^\d]{0,12}?)(?P<number>\d{1,3}(?:[,.  ]\d{3})+|\d+(?:[.,]\d+)?)(?P<after>[^\d]{0,24})"
)


class Quantity(NamedTuple):
    """A number, what stands around it, and its digits as written."""

    number: float
    unit: str
    digits: str


@lru_cache(maxsize=16384)
def quantity_of(value: str) -> Quantity | None:
    """Return the number that a value consists of, with its unit; None for any other value."""
    match = _NUMBER.fullmatch(value.strip().strip("."))
    if match is None:
        return None
    digits = match["number"]
    plain = re.sub(r"[,.  ](?=\d{3}(?:\D|$))", "", digits).replace(",", ".")
    return Quantity(float(plain), f"{match['before'].strip()}|{match['after'].strip().casefold()}", digits)


_MAX_SHORT_VALUE_WORDS = 8
"""With more content words than this, a value is a description, and most of its words suffice for a match."""

_MIN_VALUE_SHARE = 0.8
_EXTRA_CHARS, _LENGTH_FACTOR = 80, 1.5
"""Most characters of text for a match of a description: 80, plus 1.5 times its own length."""

_CODE_ONLY = re.compile(r"`[^`]+`")
_NAME = re.compile(r"(?<![.!?:|] )(?<!^)\b[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)+")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class TextWindow:
    """A sentence, a line of a table or an item of a list, with the stems of its content words.

    `wider` also holds the stems of the sentence before it, or of the table's header.
    """

    text: str
    stems: frozenset[str]
    wider: frozenset[str]


@lru_cache(maxsize=4096)
def windows_of(text: str) -> tuple[TextWindow, ...]:
    """Return the windows of a text in order."""
    return tuple(_windows(text))


def _windows(text: str) -> Iterator[TextWindow]:
    previous = frozenset[str]()
    header = frozenset[str]()
    for line in text.splitlines():
        if line.lstrip().startswith("|"):
            header = header or content_set(line)
            stems = content_set(line)
            yield TextWindow(line, stems, stems | header)
            continue
        header = frozenset[str]()
        for start, end in sentences(line):
            stems = content_set(line[start:end])
            yield TextWindow(line[start:end], stems, stems | previous)
            previous = stems


@lru_cache(maxsize=4096)
def compound_name(subject: str) -> re.Pattern[str] | None:
    """Return a pattern for a code name of several parts, such as `page_size`, with any separators; None for others."""
    code = re.fullmatch(r"`([^`]+)`", subject)
    parts = re.findall(r"[^\W_]+", code[1]) if code else []
    return re.compile(r"[\W_]{1,3}".join(map(re.escape, parts)), re.IGNORECASE) if len(parts) > 1 else None


def states(passage: DraftPassage, fact: Fact) -> bool:
    """Return whether a passage states a fact, according to the rules."""
    subject, value = set(content_words(fact.subject)), set(content_words(fact.value))
    if not subject or not value:
        return False
    headings = content_set("\n".join(passage.headings))
    if len(value) > _MAX_SHORT_VALUE_WORDS or not fact.attribute:
        stems = content_set(passage.text)
        matches = subject <= stems | headings and len(value & stems) >= _MIN_VALUE_SHARE * len(value)
        return matches and _has_compact_match(
            passage.text, value, _EXTRA_CHARS + _LENGTH_FACTOR * len(fact.value)
        )
    attribute = set(fact.attribute_key)
    value_suffices = quantity_of(fact.value) is not None and len(value) > 1 and not _YEAR.search(fact.value)
    for window in windows_of(passage.text):
        context = window.wider | headings
        if subject <= context and value <= window.stems and (value_suffices or attribute & context):
            return True
    return False


def _has_compact_match(text: str, value: set[str], max_chars: float) -> bool:
    """Return whether most words of a value are in a window, or in consecutive ones of up to `max_chars` characters."""
    windows = windows_of(text)
    for begin in range(len(windows)):
        length, stems = 0, set[str]()
        for window in windows[begin:]:
            length += len(window.text)
            if stems and length > max_chars:
                break
            stems |= window.stems
        if len(value & stems) >= _MIN_VALUE_SHARE * len(value):
            return True
    return False


def contradicts(passage: DraftPassage, fact: Fact) -> str:
    """Return the sentence that states another number for the same subject and attribute; empty if there is none."""
    quantity = quantity_of(fact.value)
    if quantity is None or not fact.attribute:
        return ""
    needed = {*content_words(fact.subject), *fact.attribute_key, *content_words(quantity.unit)}
    value = set(content_words(fact.value))
    numbers = re.compile(r"\b\d+(?:[.,]\d+)*\b")
    for window in windows_of(passage.text):
        if needed <= window.stems and not value <= window.stems:
            rest = window.text.replace(fact.subject, "")
            if len(numbers.findall(_CODE_ONLY.sub("", rest))) == 1:
                return window.text
    return ""


def may_tell(passage: DraftPassage, fact: Fact) -> bool:
    """Return whether a passage that names a subject holds a possible value of the type that a fact asks for.

    This is strict. The attribute, a number with the unit, a year or another name counts anywhere in the passage. If the
    value is code, the attribute or other code counts only in a sentence or row with the subject. For values of any
    other type, any text counts. The value of the fact belongs to another subject and gives the type.
    """
    text = passage.indexed
    if _CODE_ONLY.fullmatch(fact.value):
        return _has_code_near_subject(passage, fact)
    if set(fact.attribute_key) & content_set(text):
        return True
    quantity = quantity_of(fact.value)
    if quantity is not None and set(content_words(quantity.unit)):
        return set(content_words(quantity.unit)) <= content_set(text)
    if quantity is not None and _YEAR.fullmatch(quantity.digits):
        return bool(_YEAR.search(text))
    if _NAME.fullmatch(f"  {fact.value}", 2):
        names = {
            match for match in _NAME.findall(text) if fact.subject not in match and match not in fact.subject
        }
        return bool(names)
    return True


def _has_code_near_subject(passage: DraftPassage, fact: Fact) -> bool:
    """Return whether a sentence or row with the subject names the attribute, or holds any other code."""
    subject = set(content_words(fact.subject))
    for window in windows_of(passage.text):
        if subject <= window.stems:
            other_codes = {code for code in _CODE_ONLY.findall(window.text) if code != fact.subject}
            if other_codes or set(fact.attribute_key) & window.wider:
                return True
    return False
