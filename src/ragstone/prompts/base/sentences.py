"""A text cut into sentences, so that an answer names one by its number instead of repeating it.

Words are never changed: each sentence is a span of its text. Everything here is linear in the length of the text.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

MOST_SENTENCES = 128
"""Sentences that one prompt numbers at most; in longer texts, neighbours share a number."""

_END = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”\u2019)\]»]*+(?=\s|$)|[。\uff01\uff1f｡؟।॥]++[”\u2019」』\uff09]*+|\n\s*\n"
    r"|\n(?=\s*+(?:[-*•‣◦\u2013]|\d{1,3}[.)]|#++)\s)"
)
"""Possessive, and tried only where a run of stops begins: linear also in a text that is nothing but stops."""

_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t]*\d{1,3}\Z", re.ASCII)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'“])(?:[A-Za-z]|mr|mrs|ms|dr|prof|rev|gen|col|lt|sgt|capt|sen|rep|gov|st|mt|jr|sr|vs|no|nos|vol|fig|figs"
    r"|eq|sec|ch|pp|eds?|approx|ca|cf|al|inc|ltd|co|corp|dept|[a-z]\.[a-z]|bzw|z\.b|d\.h|nr|str|mme|mlle|sra|srta|av|núm)\Z",
    re.IGNORECASE,
)
_LONGEST_ABBREVIATION = 8


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text; a text without a word is one, so that every text has a verdict.

    Abbreviations, initials and decimals do not end a sentence; list items and blank lines do.
    """
    cuts = [0, *(match.end() for match in _END.finditer(text) if not _is_inside(text, match)), len(text)]
    pieces = (text[start:end].strip() for start, end in pairwise(cuts))
    return tuple(piece for piece in pieces if any(map(str.isalnum, piece))) or (text.strip(),)


def sentences_of(texts: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the sentences of each text, `MOST_SENTENCES` in all or one a text: neighbours are joined where more."""
    found = [sentences(text) for text in texts]
    together = -(-sum(map(len, found)) // MOST_SENTENCES)
    return tuple(tuple(_joined(one, together)) for one in found) if together > 1 else tuple(found)


def _joined(parts: Sequence[str], together: int) -> Iterator[str]:
    for start in range(0, len(parts), together):
        yield " ".join(parts[start : start + together])


def _is_inside(text: str, end: re.Match[str]) -> bool:
    """Return whether a full stop belongs to an abbreviation or a list number, or a small letter follows it."""
    if not end[0].startswith("."):
        return False
    stop, after = end.span()
    before = max(0, stop - _LONGEST_ABBREVIATION)
    if _LIST_NUMBER.search(text, before, stop):
        return True
    is_short = after < len(text) and bool(_ABBREVIATION.search(text[before:stop]))
    return is_short or text[after : after + 2].strip()[:1].islower()
