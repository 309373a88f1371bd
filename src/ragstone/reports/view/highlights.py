"""The texts of a test case with what the judge saw in them: claims underlined, decisive words lit.

What is drawn where is worked out once, here: the one-file report and the live page only differ in the elements they
make of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from ragstone.case import TestCase
from ragstone.reports.html.markup import Child, Markup, element
from ragstone.reports.view.findings import Finding
from ragstone.reports.view.locations import locate

VERDICT_CLASSES = {"yes": "supported", "no": "contradicted", "idk": "unmentioned"}
"""How a verdict is drawn."""


class Highlight(NamedTuple):
    """A stretch of text, from `start` up to `end`, with the class that draws it and the words that explain it.

    `key` tells which finding it belongs to: a letter for the metric, and the finding's number from 1.
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


def answer_html(case: TestCase, found: Iterable[Finding]) -> Markup | None:
    """Return the answer, each claim that stands in it underlined by its verdict."""
    text = case.actual_output
    if not text:
        return None
    return element("p", *highlighted(text, claim_highlights(text, found)), class_="answer text", dir="auto")


def passages_html(case: TestCase, found: Sequence[Finding]) -> Markup | None:
    """Return the passages in rank order, the words that decide lit."""
    texts = case.retrieval_context or case.context
    if not texts:
        return None
    items = [
        element("li", *highlighted(text, passage_highlights(number, found)), class_="text", dir="auto")
        for number, text in enumerate(texts, 1)
    ]
    return element("ol", *items, class_="passages")


def highlighted(text: str, marks: Iterable[Highlight]) -> list[Child]:
    """Return a text with marks in it; where two overlap the one that begins first is drawn, of two alike the longer."""
    parts: list[Child] = []
    for mark, run in groupby(
        text_segments(text, marks), key=lambda piece: piece.marks[0] if piece.marks else None
    ):
        words = "".join(piece.text for piece in run)
        parts.append(words if mark is None else element("mark", words, class_=mark.style, title=mark.title))
    return parts
