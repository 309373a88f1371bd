"""Locate a claim in the text it was extracted from.

An exact match is tried first, then a match that may differ in case and in the blanks between words, then the sentence
with the most words of the claim, if it has enough of them. A claim that is not found is not highlighted.
"""

import re
from functools import lru_cache
from typing import NamedTuple

_SENTENCE_END = re.compile(r"[.!?]+(?=\s|$)|\n+|$")
_WORD = re.compile(r"\w+")
_MIN_WORD_SHARE = 0.6
_MAX_CLAIM_LENGTH, _MAX_TEXT_LENGTH = 2_000, 50_000


class TextSpan(NamedTuple):
    """A range of text."""

    start: int  # offset of its first character
    end: int  # offset after its last character
    exact: bool  # whether the words are the claim's own


def locate(claim: str, text: str) -> TextSpan | None:
    """Return the location of `claim` in `text`, or None if it is not found."""
    start = text.find(claim)
    if start >= 0:
        return TextSpan(start, start + len(claim), exact=True)
    if len(claim) > _MAX_CLAIM_LENGTH:
        return None
    loose_match = _find_loosely(claim, text[:_MAX_TEXT_LENGTH])
    return loose_match or _find_best_sentence(claim, text[:_MAX_TEXT_LENGTH])


def _find_loosely(claim: str, text: str) -> TextSpan | None:
    """Return the location of the claim; case and the blanks between its words may differ."""
    pattern = r"\s+".join(map(re.escape, claim.rstrip(" .!?").split()))
    match = re.search(pattern, text, re.IGNORECASE) if pattern else None
    return TextSpan(match.start(), match.end(), exact=True) if match else None


def _find_best_sentence(claim: str, text: str) -> TextSpan | None:
    claimed = _words(claim)
    if not claimed:
        return None
    shares = [(len(claimed & words) / len(claimed), -start, end) for start, end, words in _sentences(text)]
    share, start, end = max(shares, default=(0.0, 0, 0))
    return TextSpan(-start, end, exact=False) if share >= _MIN_WORD_SHARE else None


@lru_cache(maxsize=8)
def _sentences(text: str) -> tuple[tuple[int, int, frozenset[str]], ...]:
    sentences: list[tuple[int, int, frozenset[str]]] = []
    offset = 0
    for match in _SENTENCE_END.finditer(text):
        sentence = text[offset : match.end()]
        if sentence.strip():
            start = offset + len(sentence) - len(sentence.lstrip())
            sentences.append((start, offset + len(sentence.rstrip()), _words(sentence)))
        offset = match.end()
    return tuple(sentences)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))
