"""Which stretches of a test case's texts are highlighted: the claims of an answer, the decisive words of a passage.

Used by the HTML report and by the dashboard, which only differ in the elements they make of it.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from ragstone.reports.view.findings import Finding
from ragstone.reports.view.locations import locate

VERDICT_CLASSES = {"yes": "supported", "no": "contradicted", "idk": "unmentioned"}
"""How a verdict is drawn."""


class Highlight(NamedTuple):
    """A stretch of text, from `start` up to `end`, with the class that draws it and the words that explain it.

    `key` names the finding it belongs to: a letter for the metric, and the finding's number from 1.
    """

    start: int
    end: int
    style: str
    title: str
    key: str = ""


class TextSegment(NamedTuple):
    """A part of a text, and the marks that cover it: the one that begins first before the others."""

    text: str
    marks: tuple[Highlight, ...]


def claim_highlights(text: str, found: Iterable[Finding], letter: str = "c") -> list[Highlight]:
    """Return where the claims of an answer stand in it."""
    marks: list[Highlight] = []
    for number, finding in enumerate(found, 1):
        place = locate(finding.statement, text) if finding.statement else None
        if place is not None:
            title = f"{finding.word}: {finding.reason}" if finding.reason else finding.word
            marks.append(
                Highlight(
                    place.start, place.end, VERDICT_CLASSES[finding.verdict], title, f"{letter}{number}"
                )
            )
    return marks


def passage_highlights(passage: int, found: Iterable[Finding], letter: str = "c") -> list[Highlight]:
    """Return the words that decide in the passage of that number, counted from 1."""
    marks: list[Highlight] = []
    for number, finding in enumerate(found, 1):
        if finding.passage == passage and finding.span is not None:
            title = f"{finding.word}: {finding.statement}" if finding.statement else finding.word
            marks.append(
                Highlight(
                    *finding.span, f"lit {VERDICT_CLASSES[finding.verdict]}", title, f"{letter}{number}"
                )
            )
    return marks


def text_segments(text: str, marks: Iterable[Highlight]) -> Iterator[TextSegment]:
    """Cut a text at the ends of its marks; together the pieces are the text again."""
    ordered = sorted(marks, key=lambda mark: (mark.start, -mark.end))
    cuts = sorted({0, len(text), *(min(end, len(text)) for mark in ordered for end in mark[:2])})
    for start, end in pairwise(cuts):
        yield TextSegment(
            text[start:end], tuple(mark for mark in ordered if mark.start <= start and end <= mark.end)
        )
