"""The tokeniser of the embedded judge: the tokens of each sentence, each with its place in the original.

Nothing is normalised before it is located: a span always indexes into the text that was handed in, and normal
forms (case folded, accents dropped, stemmed) are kept beside it. Everything here is linear in the length of
the text.
"""

import re
import unicodedata
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from ragstone.judges.local.text.numbers import MAGNITUDES, magnified, read_number
from ragstone.judges.local.text.stemmer import stem
from ragstone.sentences import sentences

_TOKEN = re.compile(
    r"""
    [^\W\d_]+(?:['\u2019][^\W\d_]+)*              # words, don't
    | \d{1,3}(?:,\ ?\d{3})+(?!\d)(?:\.\d+)?   # 3,800 and the detokenised 3, 800
    | \d+(?:[.,:/]\d+)*                      # 3.5, 10:30, 24/7
    | [%$€£¥°&@\#]
    """,
    re.VERBOSE,
)
_DECIMAL = re.compile(r"#\d+(?:\.\d+)?")
_ORDINAL = re.compile(r"(?:st|nd|rd|th|s)$")
_MOJIBAKE = re.compile("[\u00c2-\u00c5\u00e2][\u0080-\u00bf\u20ac-\u2122]")
_LATIN_SHARE = 0.6
_USUAL_LENGTH = 60
"""Longest word in characters whose forms are cached, so that the memory stays bounded for any text."""


class WordToken(NamedTuple):
    """One word, number or sign: `text[start:end]` of the original, with its normal form and stem.

    A tuple, since tokens are made by the thousand.

    Attributes:
        word: the token as written.
        start: where it begins in the text.
        end: where it ends.
        norm: case folded, accents dropped.
        stem: `norm` without its inflection; numbers have one spelling ("3,800", "three" → "#3800", "#3").
        is_number: whether it is a number, in digits or in words.
        is_capitalised: whether it starts with a capital letter.
        starts_sentence: whether it opens a sentence, where a capital letter is no sign of a name.
    """

    word: str
    start: int
    end: int
    norm: str
    stem: str
    is_number: bool
    is_capitalised: bool
    starts_sentence: bool


def tokens(text: str, spans: list[tuple[int, int]] | None = None) -> list[list[WordToken]]:
    """Return the tokens of each sentence (or of each span given)."""
    return [_tokens_within(text, start, end) for start, end in (sentences(text) if spans is None else spans)]


def first_tokens(text: str, start: int, end: int, count: int) -> list[WordToken]:
    """Return the first `count` tokens of a span, without reading further than they reach."""
    return _tokens_within(text, start, end, count)


def _tokens_within(text: str, start: int, end: int, count: int | None = None) -> list[WordToken]:
    found: list[WordToken] = []
    for match in _TOKEN.finditer(text, start, end):
        if count is not None and len(found) == count:
            break
        word = match.group()
        norm, stem = word_forms(word)
        here, after = match.span()
        if found and found[-1].is_number and here - found[-1].end <= 1:
            if here == found[-1].end and _ORDINAL.fullmatch(norm):
                continue  # the "th" of 19th
            if norm in MAGNITUDES and _DECIMAL.fullmatch(found[-1].stem):
                found[-1] = _magnify(found[-1], MAGNITUDES[norm], after, text)
                continue
        found.append(
            WordToken(word, here, after, norm, stem, stem.startswith("#"), word[0].isupper(), not found)
        )
    return found


def _magnify(token: WordToken, magnitude: int, end: int, text: str) -> WordToken:
    """Join "3.8" and "million"."""
    stem = f"#{magnified(token.stem[1:], magnitude)}"
    word = text[token.start : end]
    return token._replace(word=word, end=end, norm=word.casefold(), stem=stem)


def word_forms(word: str) -> tuple[str, str]:
    """Return the normal form and the stem of a word; those of words of a usual length are cached."""
    return _remembered_forms(word) if len(word) <= _USUAL_LENGTH else _forms(word)


@lru_cache(maxsize=65536)
def _remembered_forms(word: str) -> tuple[str, str]:
    return _forms(word)


def _forms(word: str) -> tuple[str, str]:
    decomposed = unicodedata.normalize("NFKD", word.replace("\u2019", "'")).casefold()
    norm = "".join(c for c in decomposed if not unicodedata.combining(c))
    if (number := read_number(norm)) is not None:
        return norm, f"#{number}"
    if norm == "%":
        return norm, "percent"
    return norm, stem(norm.removesuffix("'s"))


def repair_encoding(text: str) -> str:
    """Return a text with its letters repaired if UTF-8 was decoded as Latin-1 or Windows-1252.

    "D\u00c3\u00a1in" becomes "Dáin". Its length changes, so no span of the result is one of the original.
    """
    if not _MOJIBAKE.search(text):
        return text
    for encoding in ("latin-1", "cp1252"):
        with suppress(UnicodeError):
            return text.encode(encoding).decode("utf-8")
    return text


def is_latin(text: str) -> bool:
    """Whether a text is written in Latin letters, the only script on which the judge was ever measured."""
    letters = [c for c in text if c.isalpha()]
    known = sum(c < "\u0250" or "\u1e00" <= c < "\u1f00" or "\uff21" <= c <= "\uff5a" for c in letters)
    return known >= _LATIN_SHARE * len(letters)
