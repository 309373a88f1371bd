"""Highlights in a test case's texts: the claims of an answer, the decisive words of a passage.

Used by the HTML report and by the dashboard, which differ only in the elements that they render.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from ragstone.findings.view.findings import Finding
from ragstone.findings.view.locations import locate

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
    marks: list[Highlight] = []
    for finding in found:
        span = locate(finding.statement, text) if finding.statement else None
        if span is not None:
            title = f"{finding.word}: {finding.reason}" if finding.reason else finding.word
            marks.append(
                Highlight(
                    span.start, span.end, VERDICT_CLASSES[finding.verdict], title, f"{letter}{finding.number}"
                )
            )
    return marks


def passage_highlights(passage: int, found: Iterable[Finding], letter: str = "c") -> list[Highlight]:
    """Return the highlights of the decisive words in the passage with that number, from 1."""
    marks: list[Highlight] = []
    for finding in found:
        if finding.passage == passage and finding.span is not None:
            title = f"{finding.word}: {finding.statement}" if finding.statement else finding.word
            marks.append(
                Highlight(
                    *finding.span,
                    f"lit {VERDICT_CLASSES[finding.verdict]}",
                    title,
                    f"{letter}{finding.number}",
                )
            )
    return marks


def text_segments(text: str, marks: Iterable[Highlight]) -> Iterator[TextSegment]:
    """Split a text at the boundaries of its highlights. The segments joined are the text again."""
    ordered = sorted(marks, key=lambda mark: (mark.start, -mark.end))
    boundaries = sorted({0, len(text), *(min(end, len(text)) for mark in ordered for end in mark[:2])})
    for start, end in pairwise(boundaries):
        yield TextSegment(
            text[start:end], tuple(mark for mark in ordered if mark.start <= start and end <= mark.end)
        )
