"""Highlights in a test case's texts: the claims of an answer, the decisive words of a passage.

Used by the HTML report and by the dashboard, which differ only in the elements that they render. A claim that is not
found in the text it was extracted from is not highlighted.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ragstone.findings.view.findings import Finding

_SENTENCE_END = re.compile(r"[.!?]+(?=\s|$)|\n+|$")
_WORD = re.compile(r"\w+")
_MIN_WORD_SHARE = 0.6
_MAX_CLAIM_LENGTH, _MAX_TEXT_LENGTH = 2_000, 50_000

VERDICT_CLASSES = {"yes": "supported", "no": "contradicted", "idk": "unmentioned", "undecided": "undecided"}
"""CSS class of each verdict."""


class Highlight(NamedTuple):
    """A range of text, from `start` to `end` (exclusive), with its CSS class and the title that explains it.

    `key` names the finding it belongs to: a letter for the metric, and the finding's number from 1.
    """

    start: int
    end: int
    style: str
    title: str
    key: str = ""


class TextSegment(NamedTuple):
    """A part of a text, and the highlights that cover it, the one that begins first before the others."""

    text: str
    marks: tuple[Highlight, ...]

    @property
    def style(self) -> str:
        """The CSS class that draws it; empty where nothing is drawn."""
        return self.marks[0].style if self.marks else ""

    @property
    def title(self) -> str:
        """What it is, in words."""
        return self.marks[0].title if self.marks else ""

    @property
    def claims(self) -> str:
        """Keys of the claims that rest on it, such as `c3`, separated by blanks."""
        return " ".join(mark.key for mark in self.marks)

    @property
    def first(self) -> str:
        """The claim that a click leads to."""
        return self.claims.partition(" ")[0]


def claim_highlights(text: str, found: Iterable[Finding], letter: str = "c") -> list[Highlight]:
    """Return the highlights of the claims that are found in an answer."""
    return [
        _highlight(finding, span, finding.reason, letter)
        for finding in found
        if finding.statement and (span := locate(finding.statement, text))
    ]


def passage_highlights(passage: int, found: Iterable[Finding], letter: str = "c") -> list[Highlight]:
    """Return the highlights of the decisive words in the passage with that number, from 1."""
    return [
        _highlight(finding, finding.span, finding.statement, letter, "lit ")
        for finding in found
        if finding.passage == passage and finding.span is not None
    ]


def _highlight(
    finding: Finding, span: tuple[int, int], why: str | None, letter: str, style: str = ""
) -> Highlight:
    title = f"{finding.word}: {why}" if why else finding.word
    return Highlight(*span, style + VERDICT_CLASSES[finding.verdict], title, f"{letter}{finding.number}")


def text_segments(text: str, marks: Iterable[Highlight]) -> Iterator[TextSegment]:
    """Split a text at the boundaries of its highlights. The segments joined are the text again."""
    ordered = sorted(marks, key=lambda mark: (mark.start, -mark.end))
    boundaries = sorted({0, len(text), *(min(end, len(text)) for mark in ordered for end in mark[:2])})
    for start, end in pairwise(boundaries):
        covering = tuple(mark for mark in ordered if mark.start <= start and end <= mark.end)
        yield TextSegment(text[start:end], covering)


def locate(claim: str, text: str) -> tuple[int, int] | None:
    """Return start and end of `claim` in `text`, or None if it is not found.

    An exact match is tried first, then a match that may differ in case and in the blanks between words, then the
    sentence with the most words of the claim, if it has enough of them.
    """
    start = text.find(claim)
    if start >= 0:
        return start, start + len(claim)
    if len(claim) > _MAX_CLAIM_LENGTH:
        return None
    text = text[:_MAX_TEXT_LENGTH]
    pattern = r"\s+".join(map(re.escape, claim.rstrip(" .!?").split()))
    match = re.search(pattern, text, re.IGNORECASE) if pattern else None
    return match.span() if match else _find_best_sentence(claim, text)


def _find_best_sentence(claim: str, text: str) -> tuple[int, int] | None:
    claimed = _words(claim)
    if not claimed:
        return None
    shares = [(len(claimed & words) / len(claimed), -start, end) for start, end, words in _sentences(text)]
    share, start, end = max(shares, default=(0.0, 0, 0))
    return (-start, end) if share >= _MIN_WORD_SHARE else None


@lru_cache(maxsize=8)
def _sentences(text: str) -> tuple[tuple[int, int, frozenset[str]], ...]:
    sentences: list[tuple[int, int, frozenset[str]]] = []
    offset = 0
    for match in _SENTENCE_END.finditer(text):
        sentence = text[offset : match.end()]
        if sentence.strip():
            start = offset + len(sentence) - len(sentence.lstrip())
            sentences.append((start, offset + len(sentence.rstrip()), _words(sentence)))
        offset = match.end()
    return tuple(sentences)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))
