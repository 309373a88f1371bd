"""Citation markers as models and their frameworks write them: which numbers they cite, and where they stand. Pure.

    [2], [1, 3], [1-3], [1][2]       numbers in brackets, also as a link: [1](https://…)
    [^1]                             footnotes of Markdown; a definition, [^1]: …, is no marker
    [doc1], (Source 2), [Passage 3]  a noun and its number, in English, German, French and Spanish
    【4:0†source】, 【1】              the OpenAI API; the sources after a colon are counted from 0
    <sup>1</sup>, tall.¹             raised numbers

A number of more than three digits is a year, not a marker. The brackets of `a[0]` are code.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_NUMBERS = r"\d{1,3}(?:\s?(?:[,;\u2013-]|and|und|et|y)\s?\d{1,3}){0,20}"
_NOUNS = (
    r"docs?|documents?|dok|dokumente?|documentos?|sources?|quellen?|fuentes?|refs?|references?|passages?|passagen?"
    r"|pasajes?|chunks?|contexts?|snippets?|citations?"
)
_LINK = r"(?:\((?:https?://|\#|/)[^()\s]{0,500}\))?"
_AFTER_WORD = r"(?:(?<=[.!?,;:”\"»)])|(?<=[^\W\d_]{3}))"
"""Raised numbers after a unit, such as km², are exponents."""
_MARKER = re.compile(
    rf"""
    (?P<blanks>[ \t\u00a0]{{0,2}})(?:
        [\[［]\s?\^?\s?(?P<plain>{_NUMBERS})\s?[\]］]{_LINK}
        |[\[［(]\s?(?:{_NOUNS})\.?\s?[:\#]?\s?(?P<named>{_NUMBERS})\s?[\]］)]{_LINK}
        |【(?:(?P<wide>{_NUMBERS})|\d{{1,4}}:(?P<from_0>\d{{1,3}}))(?:†[^【】\n]{{0,200}})?】
        |{_AFTER_WORD}<sup>\s?\[?(?P<raised>{_NUMBERS})\]?\s?</sup>
        |{_AFTER_WORD}(?P<superscript>[¹²³⁰⁴-⁹]{{1,2}})(?!\w)
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DEFINITION = re.compile(r"^[ \t]{0,3}\[\^[^\]\n]{1,40}\]:[^\n]*\n?", re.MULTILINE)
_RANGE = re.compile(r"(\d+)\s*[\u2013-]\s*(\d+)")
_SEPARATOR = re.compile(r"[,;]|and|und|et|y", re.IGNORECASE)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_IDENTIFIER = re.compile(r"\w+\Z")
_CODE_AFTER = re.compile(r"\.[a-z_]|\(|\s?=[^=]|\[[^\d\]]")
_NOUN_PHRASE = re.compile(
    r"\b(?:in|to|from|by|see|per|of|and|or|nach|laut|siehe|aus|von|gemäß|selon|voir|dans|según|véase|de)\Z",
    re.IGNORECASE,
)
_LOOKBACK = 40


class CitationMarker(NamedTuple):
    """A citation marker: `text[start:end]`, with the blanks before it, and the numbers that it cites.

    `is_noun`: it stands for a noun, as in "according to [1]", and the sentence needs it.
    """

    start: int
    end: int
    numbers: tuple[int, ...]
    is_noun: bool


def citation_markers(text: str) -> Iterator[CitationMarker]:
    """Yield the citation markers of a text, in order."""
    code_end = -1
    for match in _MARKER.finditer(text):
        start, end = match.span()
        if match["plain"] and _is_no_citation(text, match, code_end):
            code_end = end
            continue
        numbers = _numbers(match)
        if numbers:
            before = text[max(0, start - _LOOKBACK) : start]
            yield CitationMarker(start, end, numbers, bool(match["blanks"] and _NOUN_PHRASE.search(before)))


def definition_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of the lines that define a footnote, such as "[^1]: Annual report"."""
    return [match.span() for match in _DEFINITION.finditer(text)]


def _is_no_citation(text: str, match: re.Match[str], code_end: int) -> bool:
    """Whether numbers in brackets are an index in code, or begin the definition of a footnote."""
    start, end = match.span()
    if text[end : end + 1] == ":" and not text[max(0, start - 1) : start].strip("\n"):
        return True
    if match["blanks"]:
        return False
    if start == code_end:
        return True
    identifier = _IDENTIFIER.search(text[max(0, start - _LOOKBACK) : start])
    if not identifier:
        return False
    name = identifier[0]
    return (
        (len(name) == 1 and name.islower())
        or "_" in name
        or match["plain"] == "0"
        or bool(_CODE_AFTER.match(text, end))
    )


def _numbers(match: re.Match[str]) -> tuple[int, ...]:
    if match["from_0"]:
        return (int(match["from_0"]) + 1,)
    raised = (match["superscript"] or "").translate(_SUPERSCRIPTS)
    listed = match["plain"] or match["named"] or match["wide"] or match["raised"] or raised
    numbers: list[int] = []
    for part in _SEPARATOR.split(listed):
        between = _RANGE.fullmatch(part.strip())
        first, last = (int(between[1]), int(between[2])) if between else (int(part), int(part))
        numbers.extend(range(first, last + 1) if first <= last else [first, last])
    return tuple(numbers)
