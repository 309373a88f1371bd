"""An answer as a model wrote it, prepared for metrics and judges.

`answer` is the text without the model's thoughts (`thoughts`): what the user is shown. `prose` has no citation markers
and no Markdown either; each row of a table is read with its header, each item of a list with its lead-in (`prose`). A
plain text costs two searches for single characters.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from ragstone.text import thoughts
from ragstone.text.pieces import Piece, PiecedText

OutputForm = Literal["written", "answer", "prose"]
"""How a metric reads an output: as it was written, without thoughts, or as prose."""

_LINE_MARK = r"[ \t]*+(?:[-+>•‣◦\u2013]|\(?\d{1,3}[.)])[ \t]"
_FIRST_LINE_MARK = re.compile(_LINE_MARK)
_MARKUP = re.compile(
    rf"[\[［【<*_`|~#¹²³⁰-⁹\n(](?:(?<=[\[［【<*_`|~#¹²³⁰-⁹])|(?<=\n){_LINE_MARK}|(?<=\()\w{{3,10}}\.?:?[ ]?[#]?\d)"
)
"""What a text that is not prose has at least one of."""


class PreparedText(PiecedText):
    """A text in one of its forms, with the way back to the original.

    Attributes:
        original: as it was written.
        text: as it is read.
        changes: what was changed, such as "thoughts removed" and "2 citations"; empty if nothing was.
    """

    def __init__(self, original: str, pieces: Sequence[Piece], changes: tuple[str, ...]) -> None:
        """Join `pieces` of `original`."""
        super().__init__(original, pieces)
        self.changes = changes


def prepared(text: str, form: OutputForm) -> PreparedText:
    """Return a text in a form."""
    return (
        _prepared(text, form) if needs_preparation(text, form) else PreparedText(text, [Piece(text, 0)], ())
    )


def needs_preparation(text: str, form: OutputForm) -> bool:
    """Return whether a text may have something that a form is without; False is certain."""
    return form != "written" and bool(thoughts.HINT.search(text) or (form == "prose" and _has_markup(text)))


def _has_markup(text: str) -> bool:
    return bool(_MARKUP.search(text) or _FIRST_LINE_MARK.match(text))


@lru_cache(maxsize=256)
def _prepared(text: str, form: OutputForm) -> PreparedText:
    """Several metrics read the same text, one after the other."""
    removed = thoughts.thought_spans(text)
    answer = PiecedText(text, list(_kept(text, removed)))
    changes = ["thoughts removed"] if removed else []
    if form != "prose":
        return PreparedText(text, answer.pieces, tuple(changes))
    from ragstone.text.prose import prose_pieces  # noqa: PLC0415  (most texts do without it)

    counts = Counter[str]()
    pieces = list(prose_pieces(answer.text, counts))
    changes += _described(counts)
    return PreparedText(text, [one for piece in pieces for one in answer.traced(piece)], tuple(changes))


def _kept(text: str, removed: list[tuple[int, int]]) -> Iterator[Piece]:
    position = 0
    for start, end in (*removed, (len(text), len(text))):
        if start > position:
            yield Piece(text[position:start], position)
        position = end


def _described(counts: Mapping[str, int]) -> Iterator[str]:
    if counts["markup"]:
        yield "markup removed"
    for noun in ("citation", "table row", "list item"):
        if counts[noun]:
            yield f"{counts[noun]} {noun}{'s' if counts[noun] > 1 else ''}"
