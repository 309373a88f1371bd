"""Detection of the language of a text by its function words: `en`, `de`, `fr`, or `?` if none prevails."""

import re

from ragstone.text.function_words import STOP_WORDS

_WORD = re.compile(r"[^\W\d_]+")
_MIN_SHARE = 0.1
_MIN_LEAD = 1.2
_MAX_READ_WORDS = 400

_DISTINCT_WORDS = {
    name: words - frozenset[str]().union(*(other for code, other in STOP_WORDS.items() if code != name))
    for name, words in STOP_WORDS.items()
}
"""The function words that occur in only one of the languages."""


def language_of(text: str, default: str = "?") -> str:
    """Return the language of a text.

    Args:
        text: the text; its first 400 words are read.
        default: returned where it is too short, or in none of the languages known.
    """
    words = [word.casefold() for word in _WORD.findall(text)[:_MAX_READ_WORDS]]
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
