"""Splits a text into sentences, as spans: the text is never changed, and empty lines end a sentence too.

Everything here is linear in the length of the text.
"""

import re
from itertools import pairwise

_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t]*\d{1,3}\Z", re.ASCII)
_SENTENCE_END = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”\u2019)\]»]*+(?=\s|$)|[。\uff01\uff1f｡؟।॥]++[”\u2019」』\uff09]*+|\n\s*\n"
    r"|\n(?=\s*+(?:[-*•‣◦\u2013]|\d{1,3}[.)]|#++)\s)"
)
"""Possessive, and tried only at the beginning of a run of stops, so that it is linear also in a text of stops only."""
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'“])(?:[A-Za-z]|mr|mrs|ms|dr|prof|rev|gen|col|lt|sgt|capt|sen|rep|gov|st|mt|ft|jr|sr|vs|no|nos|vol|fig|figs"
    r"|eq|sec|ch|pp|ed|eds|approx|ca|cf|al|etc|inc|ltd|co|corp|dept|est|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
    r"|[a-z]\.[a-z]|u\.s|u\.k|u\.n|e\.g|i\.e|a\.m|p\.m|bzw|z\.b|d\.h|usw|nr|str|mme|mlle|sra|srta|av|núm)$",
    re.IGNORECASE,
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences of a text, without the blanks around them.

    Abbreviations, initials and decimals do not end a sentence; list items and blank lines do.
    """
    cuts = [0]
    for match in _SENTENCE_END.finditer(text):
        if match.group().startswith(".") and _is_inside(text, match.start(), match.end()):
            continue
        cuts.append(match.end())
    cuts.append(len(text))
    return [span for start, end in pairwise(cuts) if (span := strip(text, start, end))]


def _is_inside(text: str, dot: int, end: int) -> bool:
    """Whether a full stop belongs to an abbreviation or a list number, or a small letter follows it."""
    following = text[end : end + 2].strip()
    if _LIST_NUMBER.search(text, max(0, dot - 8), dot):
        return True
    return (bool(_ABBREVIATION.search(text[max(0, dot - 8) : dot])) and end < len(text)) or following[
        :1
    ].islower()


def strip(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span without the blanks at its ends, or None when nothing remains."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    return (start + left, start + right) if right > left else None
