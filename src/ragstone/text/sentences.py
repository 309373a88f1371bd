"""Splits a text into sentences, as spans: the text is never changed.

Empty lines, list items, headings and rows of tables end a sentence too. A full stop ends a sentence unless the words
around it say otherwise (`full_stops`). No language is given: the rules of all languages hold at once.

Everything here is linear in the length of the text.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from ragstone.text import abbreviations
from ragstone.text.full_stops import ends_sentence

_CLOSERS = r"[\"'”“’‘)\]»」』）】〉》*_]"
_MARKER = r"[ \t]?(?:\[\^?\d{1,3}(?:\s?[,;\u2013-]\s?\d{1,3}){0,20}\]|【[^【】\n]{1,40}】)|[¹²³⁰⁴-⁹]"
"""A citation marker after a full stop belongs to the sentence that it ends."""
_CANDIDATE = re.compile(
    rf"""
    [.!?…。．！？｡؟।॥۔։።;\u037e\nบะ](?:
        (?<=[.!?…])[.!?…]*+(?:{_CLOSERS}|[\u00a0\u202f\ ]»|{_MARKER})*+
        |(?<=[。．！？｡؟।॥۔։።])[。．！？｡؟।॥۔!?]*+(?:{_CLOSERS}|{_MARKER})*+
        |(?<=[\u0370-\u03ff][;\u037e])(?=\s|$)
        |(?<=\n)[^\S\n]*+
        |(?:(?<=ครับ)|(?<=ค่ะ)|(?<=คะ))(?=[ ][\u0e00-\u0e7f])
    )
    """,
    re.VERBOSE,
)
"""Each place where a sentence may end. It begins with a set of characters, which is searched fast."""
_ITEM = re.compile(r"(?:[-*+•‣◦\u2013>]|\(?\d{1,3}[.)۔]|[a-zA-Z]\)|#{1,6})(?=\s)|\|")
"""Beginning of a line that is a sentence, or begins one."""
_LINE_UNIT = re.compile(r"#{1,6}\s|\|")
"""Beginning of a heading or of a row of a table, which is not split."""
_LIST_NUMBER = re.compile(r"\s*+(?:(?P<label>[^\W\d_]{1,12})\s)?\(?(?P<number>\d{1,3})\Z")
_LONGEST_LIST_NUMBER = 24
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]")


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences of a text, without the blanks around them.

    Abbreviations, initials, ordinals and decimals do not end a sentence; list items and blank lines do.
    """
    cuts = [0, *_sentence_ends(text), len(text)]
    return [span for start, end in pairwise(cuts) if (span := strip(text, start, end))]


def _sentence_ends(text: str) -> Iterator[int]:
    start, list_number = 0, 0
    in_unit = bool(_LINE_UNIT.match(text))
    for match in _CANDIDATE.finditer(text):
        stop, end = match.span()
        if text[stop] == "\n":
            ends, in_unit = in_unit or _line_ends(text, stop, end), bool(_LINE_UNIT.match(text, end))
        elif in_unit:
            continue
        elif (number := _item_number(text, start, stop)) and (
            number == list_number + 1 or _begins_line(text, start)
        ):
            list_number = number
            continue
        else:
            ends = _stop_ends(text, start, stop, end)
        if ends:
            start = end
            yield end


def _line_ends(text: str, stop: int, end: int) -> bool:
    """Whether a sentence ends with its line: before an empty line or an item, and in Thai, which has no full stops."""
    return (
        text[end : end + 1] in ("\n", "")
        or bool(_ITEM.match(text, end))
        or "\u0e00" <= text[stop - 1 : stop] < "\u0e80"
    )


def _stop_ends(text: str, start: int, stop: int, end: int) -> bool:
    if text[stop] in ".!?…":
        if end < len(text) and not text[end].isspace():
            return text[stop] in "!?" and bool(_CJK.match(text, end))
        return ends_sentence(text, start, stop, end)
    is_quotation = end - stop > 1 and text.startswith(("と", "って"), end)
    return not is_quotation


def _item_number(text: str, start: int, stop: int) -> int:
    """Return the number of a list item, or of a step, whose text begins after a full stop; 0 if it is none."""
    if stop - start > _LONGEST_LIST_NUMBER or not text[stop - 1 : stop].isdigit():
        return 0
    match = _LIST_NUMBER.match(text[start:stop])
    if not match or (match["label"] and match["label"].casefold() not in abbreviations.LABELS):
        return 0
    return int(match["number"])


def _begins_line(text: str, start: int) -> bool:
    return start == 0 or "\n" in text[start - 1 : start + 1]


def strip(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span without the blanks at its ends, or None when nothing remains."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    return (start + left, start + right) if right > left else None
