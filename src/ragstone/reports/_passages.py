"""The texts of a test case with what the judge saw in them: claims underlined, decisive words lit."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ragstone.case import TestCase
from ragstone.reports._evidence import Finding
from ragstone.reports._markup import Child, Markup, element

_CLASSES = {"yes": "supported", "no": "contradicted", "idk": "unmentioned"}


class Mark(NamedTuple):
    """A stretch of text, from `start` up to `end`, with the class that draws it and the words that explain it."""

    start: int
    end: int
    style: str
    title: str


def answer(case: TestCase, found: Iterable[Finding]) -> Markup | None:
    """Return the answer, each claim that stands in it word for word underlined by its verdict."""
    text = case.actual_output
    if not text:
        return None
    marks: list[Mark] = []
    for finding in found:
        start = text.find(finding.statement) if finding.statement else -1
        if finding.statement and start >= 0:
            title = f"{finding.word}: {finding.reason}" if finding.reason else finding.word
            marks.append(Mark(start, start + len(finding.statement), _CLASSES[finding.verdict], title))
    return element("p", *marked(text, marks), class_="answer text", dir="auto")


def passages(case: TestCase, found: Sequence[Finding]) -> Markup | None:
    """Return the passages in rank order, the words that decide lit."""
    texts = case.retrieval_context or case.context
    if not texts:
        return None
    items = [
        element("li", *marked(text, _lit(text, number, found)), class_="text", dir="auto")
        for number, text in enumerate(texts, 1)
    ]
    return element("ol", *items, class_="passages")


def _lit(text: str, number: int, found: Sequence[Finding]) -> list[Mark]:
    marks: list[Mark] = []
    for finding in found:
        if finding.passage == number and finding.quote is not None:
            start = text.find(finding.quote.span)
            if start >= 0:
                title = f"{finding.word}: {finding.statement}" if finding.statement else finding.word
                marks.append(
                    Mark(start, start + len(finding.quote.span), f"lit {_CLASSES[finding.verdict]}", title)
                )
    return marks


def marked(text: str, marks: Iterable[Mark]) -> list[Child]:
    """Return a text with marks in it; of two that overlap the earlier is kept, of two at one place the longer."""
    parts: list[Child] = []
    at = 0
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if mark.start >= at:
            parts += [
                text[at : mark.start],
                element("mark", text[mark.start : mark.end], class_=mark.style, title=mark.title),
            ]
            at = mark.end
    return [*parts, text[at:]]
