"""A text in the pieces that a template writes: which claims cover each, and how it is drawn. Long texts are cut.

A page of a megabyte is of use to nobody: what is longer than a few pages ends in a link that shows all of it.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ragstone.dashboard._dossier import Reading, as_findings
from ragstone.reports._passages import CLASSES, Mark, claim_marks, passage_marks, pieces

SHOWN = 6_000
"""Characters of a text that a page shows before it is asked for all of them."""


class Stroke(NamedTuple):
    """A part of a text.

    Attributes:
        text: its characters.
        style: the class that draws it; empty where nothing is drawn.
        claims: keys of the claims that rest on it, such as `c3`, blanks between; the first leads there.
        title: what it is, in words.
    """

    text: str
    style: str
    claims: str
    title: str

    @property
    def first(self) -> str:
        """The claim that a click leads to."""
        return self.claims.partition(" ")[0]


class Painted(NamedTuple):
    """A text, ready to be written.

    Attributes:
        strokes: its parts.
        length: characters of the whole text.
        cut: it goes on.
    """

    strokes: tuple[Stroke, ...]
    length: int
    cut: bool


def plain(text: str, *, whole: bool = False) -> Painted:
    """Return a text in which nothing is drawn."""
    return _painted(text, (), whole=whole)


def statements(text: str, reading: Reading | None, letter: str, *, whole: bool = False) -> Painted:
    """Return a text with the claims of a reading drawn where they stand."""
    marks = claim_marks(text, as_findings(reading), letter) if reading else []
    return _painted(text, marks, whole=whole)


def evidence(text: str, number: int, read: Mapping[str, Reading], *, whole: bool = False) -> Painted:
    """Return the passage of that number with the words lit on which claims rest; of some readings, by their letters."""
    found = [
        passage_marks(number, as_findings(reading), letter)
        for letter, reading in read.items()
        if reading.evidence
    ]
    return _painted(text, [mark for marks in found for mark in marks], whole=whole)


def style_of(verdict: str) -> str:
    """Return the class that draws a verdict."""
    return CLASSES[verdict]


def _painted(text: str, marks: Iterable[Mark], *, whole: bool) -> Painted:
    shown = text if whole or len(text) <= SHOWN else text[:SHOWN]
    cut = pieces(shown, [mark for mark in marks if mark.start < len(shown)])
    return Painted(tuple(_stroke(*piece) for piece in cut), len(text), cut=len(shown) < len(text))


def _stroke(text: str, marks: tuple[Mark, ...]) -> Stroke:
    if not marks:
        return Stroke(text, "", "", "")
    return Stroke(text, marks[0].style, " ".join(mark.key for mark in marks), marks[0].title)
