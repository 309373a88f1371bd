"""Words of a text for counting and comparing: stems of content words, names and numbers, by language."""

import re
from functools import lru_cache

from ragstone.text.function_words import STOP_WORDS
from ragstone.text.tokens import word_forms

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*", re.UNICODE)
_NAME = re.compile(r"`[^`]+`|\b[A-ZÀ-Þ][\w'’-]*|\b\w*\d[\w.,:-]*")

_ALL_STOP_WORDS = frozenset[str]().union(*STOP_WORDS.values())


_MAX_CACHED_CHARS = 100
"""Most characters of a text whose words are cached."""


def stems_of(text: str) -> list[str]:
    """Return the stems of all words and numbers of a text in order; numbers have one spelling."""
    return [_stem(word) for word in _WORD.findall(text)]


def content_words(text: str) -> tuple[str, ...]:
    """Return the stems of the words of a text without function words, in order; those of short texts are remembered."""
    return _cached_content_words(text) if len(text) <= _MAX_CACHED_CHARS else _content_words(text)


def _content_words(text: str) -> tuple[str, ...]:
    return tuple(
        _stem(word)
        for word in _WORD.findall(text)
        if word.casefold() not in _ALL_STOP_WORDS and (len(word) > 1 or word.isdigit())
    )


_cached_content_words = lru_cache(maxsize=16384)(_content_words)


def content_set(text: str) -> frozenset[str]:
    """Return the different stems of the content words of a text."""
    return frozenset(content_words(text))


def names_in(text: str) -> frozenset[str]:
    """Return the stems of the names, codes and numbers of a text: what a question has to repeat."""
    names = " ".join(match.strip("`") for match in _NAME.findall(text))
    return content_set(names)


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    return word_forms(word)[1] or word.casefold()


_LETTERS = re.compile(r"[^\W\d_]+")
_MIN_SHARE = 0.1
_MIN_LEAD = 1.2
_MAX_READ_WORDS = 400

_DISTINCT_WORDS = {
    name: words - frozenset[str]().union(*(other for code, other in STOP_WORDS.items() if code != name))
    for name, words in STOP_WORDS.items()
}
"""The function words that occur in only one of the languages."""


def language_of(text: str, default: str = "?") -> str:
    """Return the language of a text, from its first 400 words; `default` if it is too short or in no known language."""
    words = [word.casefold() for word in _LETTERS.findall(text)[:_MAX_READ_WORDS]]
    if not words:
        return default
    ranked = sorted(
        ((sum(word in distinct for word in words), code) for code, distinct in _DISTINCT_WORDS.items()),
        reverse=True,
    )
    (best_count, language), (second_count, _) = ranked[0], ranked[1]
    if best_count < max(1, _MIN_SHARE * len(words)) or best_count < _MIN_LEAD * second_count:
        return default
    return language
