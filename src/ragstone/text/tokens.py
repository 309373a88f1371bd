"""The tokeniser: the tokens of each sentence, each with its span in the original text.

The text is not normalised before it is split: a span always indexes into the original text. Each token also has its
normalised forms (case folded, accents removed, stemmed). Everything here is linear in the length of the text.
"""

import re
import unicodedata
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from ragstone.text.numbers import MAGNITUDES, multiply_number, read_number
from ragstone.text.sentences import sentences
from ragstone.text.stemmer import stem

_TOKEN = re.compile(
    r"""
    [^\W\d_]+(?:['\u2019][^\W\d_]+)*              # words, don't
    | \d{1,3}(?:,\ ?\d{3})+(?!\d)(?:\.\d+)?   # 3,800 and the detokenised 3, 800
    | \d+(?:[.,:/]\d+)*                      # 3.5, 10:30, 24/7
    | [%$€£¥°&@\#]
    """,
    re.VERBOSE,
)
_DECIMAL_STEM = re.compile(r"#\d+(?:\.\d+)?")
_ORDINAL_SUFFIX = re.compile(r"(?:st|nd|rd|th|s)$")
_MOJIBAKE = re.compile("[\u00c2-\u00c5\u00e2][\u0080-\u00bf\u20ac-\u2122]")
_MIN_LATIN_SHARE = 0.6
_MAX_CACHED_LENGTH = 60
"""Maximum length in characters of a word whose forms are cached: the memory of the cache is bounded for any text."""


class WordToken(NamedTuple):
    """One word, number or symbol: `text[start:end]` of the original, with its normalised form and stem.

    It is a tuple because a text may have thousands of tokens.

    Attributes:
        word: the token as written.
        start: its start offset in the text.
        end: its end offset.
        norm: the normalised form: case folded, accents removed.
        stem: `norm` without its inflection; numbers are normalised ("3,800", "three" → "#3800", "#3").
        is_number: whether it is a number, in digits or in words.
        is_capitalised: whether it starts with a capital letter.
        starts_sentence: whether it is the first of its sentence, where a capital letter does not indicate a name.
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
    """Return the first `count` tokens of a span; the text after them is not read."""
    return _tokens_within(text, start, end, count)


def _tokens_within(text: str, start: int, end: int, count: int | None = None) -> list[WordToken]:
    result: list[WordToken] = []
    for match in _TOKEN.finditer(text, start, end):
        if count is not None and len(result) == count:
            break
        word = match.group()
        norm, stem = word_forms(word)
        token_start, token_end = match.span()
        if result and result[-1].is_number and token_start - result[-1].end <= 1:
            if token_start == result[-1].end and _ORDINAL_SUFFIX.fullmatch(norm):
                continue  # the "th" of 19th
            if norm in MAGNITUDES and _DECIMAL_STEM.fullmatch(result[-1].stem):
                result[-1] = _magnify(result[-1], MAGNITUDES[norm], token_end, text)
                continue
        result.append(
            WordToken(
                word, token_start, token_end, norm, stem, stem.startswith("#"), word[0].isupper(), not result
            )
        )
    return result


def _magnify(token: WordToken, magnitude: int, end: int, text: str) -> WordToken:
    stem = f"#{multiply_number(token.stem[1:], magnitude)}"
    word = text[token.start : end]
    return token._replace(word=word, end=end, norm=word.casefold(), stem=stem)


def word_forms(word: str) -> tuple[str, str]:
    """Return the normalised form and the stem of a word; those of short words are cached."""
    return _cached_forms(word) if len(word) <= _MAX_CACHED_LENGTH else _compute_forms(word)


@lru_cache(maxsize=65536)
def _cached_forms(word: str) -> tuple[str, str]:
    return _compute_forms(word)


def _compute_forms(word: str) -> tuple[str, str]:
    decomposed = unicodedata.normalize("NFKD", word.replace("\u2019", "'")).casefold()
    norm = "".join(c for c in decomposed if not unicodedata.combining(c))
    if (number := read_number(norm)) is not None:
        return norm, f"#{number}"
    if norm == "%":
        return norm, "percent"
    return norm, stem(norm.removesuffix("'s"))


def repair_encoding(text: str) -> str:
    """Return a text with its characters repaired if UTF-8 was decoded as Latin-1 or Windows-1252.

    "D\u00c3\u00a1in" becomes "Dáin". The length changes, so spans of the result do not apply to the original.
    """
    if not _MOJIBAKE.search(text):
        return text
    for encoding in ("latin-1", "cp1252"):
        with suppress(UnicodeError):
            return text.encode(encoding).decode("utf-8")
    return text


def is_latin(text: str) -> bool:
    """Whether a text is written in Latin script, the only one on which the judge was measured."""
    letters = [c for c in text if c.isalpha()]
    latin_count = sum(c < "\u0250" or "\u1e00" <= c < "\u1f00" or "\uff21" <= c <= "\uff5a" for c in letters)
    return latin_count >= _MIN_LATIN_SHARE * len(letters)
