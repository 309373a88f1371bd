"""An answer as a model wrote it, prepared for metrics and judges.

`answer` is the text without the model's thoughts: what the user is shown. Thoughts stand in `<think>…</think>` and the
like, `[THINK]…[/THINK]`, and the channels of gpt-oss. A block that never ends takes the rest of the text. A closing tag
without an opening one ends thoughts that began with the text. Tags in code (`` `<think>` ``) are words, as is an
opening tag within a line that is never closed.

`prose` has no citation markers and no Markdown either; each row of a table is read with its header, each item of a list
with its lead-in (`prose`). A plain text costs two searches for single characters.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from ragstone.text.pieces import Piece, PiecedText

Span = tuple[int, int]
OutputForm = Literal["written", "answer", "prose"]
"""How a metric reads an output: as it was written, without thoughts, or as prose."""

_LINE_MARK = r"[ \t]*+(?:[-+>•‣◦\u2013]|\(?\d{1,3}[.)])[ \t]"
_FIRST_LINE_MARK = re.compile(_LINE_MARK)
_MARKUP = re.compile(
    rf"[\[［【<*_`|~#¹²³⁰-⁹\n(](?:(?<=[\[［【<*_`|~#¹²³⁰-⁹])|(?<=\n){_LINE_MARK}|(?<=\()\w{{3,10}}\.?:?[ ]?[#]?\d)"
)
"""What a text that is not prose has at least one of."""
_THOUGHT_HINT = re.compile(
    r"[<\[◁](?:(?<=<)(?:/?(?:think|thought|reason)|\|(?:channel|(?:begin|end)_of_))|(?<=\[)/?THINK\]|(?<=◁)/?think▷)",
    re.IGNORECASE,
)
"""What a text with thoughts has at least one of."""
_TAG = re.compile(
    r"(?<!`)(?:<(?P<close>/)?(?:think|thinking|thoughts?|reasoning)>|\[(?P<close_bracket>/)?THINK\]"
    r"|◁(?P<close_arrow>/)?think▷|<\|(?:begin|(?P<close_end>end))_of_thought\|>)(?!`)",
    re.IGNORECASE,
)
_SOLUTION_TAG = re.compile(r"<\|(?:begin|end)_of_solution\|>")
_BLANKS = re.compile(r"\s*+")
_CHANNEL = "<|channel|>"
_FINAL = re.compile(r"<\|channel\|>final(?:\s[^<>|]{0,40})?<\|message\|>")
_END = re.compile(r"(?:<\|(?:end|return)\|>\s*)+\Z")


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
    has_markup = form == "prose" and (_MARKUP.search(text) or _FIRST_LINE_MARK.match(text))
    return form != "written" and bool(_THOUGHT_HINT.search(text) or has_markup)


@lru_cache(maxsize=256)
def _prepared(text: str, form: OutputForm) -> PreparedText:
    """Several metrics read the same text, one after the other."""
    removed = _thought_spans(text)
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


def _thought_spans(text: str) -> list[Span]:
    """Return the spans of the thoughts in a text with their tags and the blanks after them, in order."""
    spans = _channel_spans(text) if _CHANNEL in text else []
    position = spans[0][1] if spans else 0
    opened: int | None = None
    for tag in _TAG.finditer(text, position):
        if any(tag.groups()):
            spans.append((position if opened is None else opened, tag.end()))
            position, opened = tag.end(), None
        elif opened is None:
            opened = tag.start()
    if opened is not None and not text[max(position, text.rfind("\n", 0, opened) + 1) : opened].strip():
        spans.append((opened, len(text)))  # only at the beginning of a line
    spans += (match.span() for match in _SOLUTION_TAG.finditer(text))
    return _merged([(start, _skip_blanks(text, end)) for start, end in spans])


def _skip_blanks(text: str, position: int) -> int:
    blanks = _BLANKS.match(text, position)
    return blanks.end() if blanks else position


def _channel_spans(text: str) -> list[Span]:
    """Return the channels other than the last final one; all of the text if there is no final one."""
    finals = list(_FINAL.finditer(text))
    if not finals:
        return [(0, len(text))]
    end = _END.search(text, finals[-1].end())
    return [(0, finals[-1].end())] + ([end.span()] if end else [])


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
