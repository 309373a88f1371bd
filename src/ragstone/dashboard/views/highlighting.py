"""Texts in segments for a template: which claims cover each, and how it is drawn.

Long texts are cut after a few pages, with a link to the whole text.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ragstone.dashboard.views.verdicts import MetricVerdicts
from ragstone.findings.view.highlights import (
    Highlight,
    TextSegment,
    claim_highlights,
    passage_highlights,
    text_segments,
)

SHOWN = 6_000
"""Characters of a text that a page shows unless the whole text is requested."""


class HighlightedText(NamedTuple):
    """A text, ready to be written.

    Attributes:
        strokes: its parts.
        length: characters of the whole text.
        cut: whether the whole text is longer than its parts.
    """

    strokes: tuple[TextSegment, ...]
    length: int
    cut: bool


def plain(text: str, *, whole: bool = False) -> HighlightedText:
    """Return a text without highlights."""
    return _highlighted(text, (), whole=whole)


def statements(
    text: str, judged: MetricVerdicts | None, letter: str, *, whole: bool = False
) -> HighlightedText:
    """Return a text with the claims of a metric highlighted."""
    marks = claim_highlights(text, judged.claims, letter) if judged else []
    return _highlighted(text, marks, whole=whole)


def evidence(
    text: str, number: int, read: Mapping[str, MetricVerdicts], *, whole: bool = False
) -> HighlightedText:
    """Return the passage of that number, with the words highlighted on which claims rest; `read`: letter → verdicts."""
    highlights = [
        passage_highlights(number, judged.claims, letter)
        for letter, judged in read.items()
        if judged.evidence
    ]
    return _highlighted(text, [mark for marks in highlights for mark in marks], whole=whole)


def _highlighted(text: str, marks: Iterable[Highlight], *, whole: bool) -> HighlightedText:
    shown = text if whole or len(text) <= SHOWN else text[:SHOWN]
    segments = text_segments(shown, [mark for mark in marks if mark.start < len(shown)])
    return HighlightedText(tuple(segments), len(text), cut=len(shown) < len(text))
