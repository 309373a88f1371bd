"""Locate a claim in the text it was extracted from.

An exact match is tried first, then a match that may differ in case and in the blanks between words, then the sentence
with the most words of the claim, if it has enough of them. A claim that is not found is not highlighted.
"""

import re
from functools import lru_cache
from typing import NamedTuple

_END = re.compile(r"[.!?]+(?=\s|$)|\n+|$")
_WORD = re.compile(r"\w+")
_ENOUGH = 0.6
_LONGEST_CLAIM, _LONGEST_TEXT = 2_000, 50_000


class TextSpan(NamedTuple):
    """A range of text.

    Attributes:
        start: offset of its first character.
        end: offset after its last character.
        exact: whether the words are the claim's own.
    """

    start: int
    end: int
    exact: bool


def locate(claim: str, text: str) -> TextSpan | None:
    """Return the location of `claim` in `text`, or None if it is not found."""
    start = text.find(claim)
    if start >= 0:
        return TextSpan(start, start + len(claim), exact=True)
    if len(claim) > _LONGEST_CLAIM:
        return None
    found = _with_other_blanks(claim, text[:_LONGEST_TEXT])
    return found or _likeliest_sentence(claim, text[:_LONGEST_TEXT])


def _with_other_blanks(claim: str, text: str) -> TextSpan | None:
    pattern = r"\s+".join(map(re.escape, claim.rstrip(" .!?").split()))
    found = re.search(pattern, text, re.IGNORECASE) if pattern else None
    return TextSpan(found.start(), found.end(), exact=True) if found else None


def _likeliest_sentence(claim: str, text: str) -> TextSpan | None:
    wanted = _words(claim)
    if not wanted:
        return None
    shares = [(len(wanted & words) / len(wanted), -start, end) for start, end, words in _sentences(text)]
    share, start, end = max(shares, default=(0.0, 0, 0))
    return TextSpan(-start, end, exact=False) if share >= _ENOUGH else None


@lru_cache(maxsize=8)
def _sentences(text: str) -> tuple[tuple[int, int, frozenset[str]], ...]:
    found: list[tuple[int, int, frozenset[str]]] = []
    begun = 0
    for match in _END.finditer(text):
        sentence = text[begun : match.end()]
        if sentence.strip():
            start = begun + len(sentence) - len(sentence.lstrip())
            found.append((start, begun + len(sentence.rstrip()), _words(sentence)))
        begun = match.end()
    return tuple(found)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))
