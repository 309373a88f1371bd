"""Whether texts are in a language on which the judge was measured: English, German, French or Spanish.

Two kinds of lower-case words indicate another language: its function words, and words with letters that none of the
four has (both in `function_words`). A text is refused under two conditions. One of these words must be in none of the
four. And for each of the four, at least two different words must indicate the other language against it, and all such
words must be at least 1.5 times as many as the words that indicate that one. Words with a capital, quotations and code
count for the four only: "Van Gogh", "La Dolce Vita". Refusing a good text is worse than judging one in another
language, so a short or undecided text is judged.

Texts that are judged together, such as a claim and all its passages, are refused if one of them is in another language,
or if their combined text is: a claim in English with passages in Italian was never measured either. The passages count
as one text: if some are in English and some in Italian, those that indicate Italian must be 1.5 times as many.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ragstone.text import lexicon
from ragstone.text.function_words import (
    AMBIGUOUS,
    LETTERS,
    OTHER_LANGUAGE_WORDS,
    STOP_WORDS,
    SUPPORTED_LANGUAGE_WORDS,
)
from ragstone.text.tokens import is_latin

_WORD = re.compile(r"[^\W\d_]+")
_QUOTED_OR_CODE = re.compile(
    r"\"[^\"]{1,300}\"|[“„][^“”„]{1,300}[”“]|«[^«»]{1,300}»|`[^`]{1,300}`|```.*?(?:```|\Z)", re.DOTALL
)
"""Quotations and code."""
_MAX_CHARACTERS = 10_000
"""Maximum number of characters of each text that are read."""
_MIN_INDICATORS = 2
"""Minimum number of different words that indicate another language against each of the four."""
_MIN_LETTER_INDICATORS = 4
"""The same if only letters indicate it, as in transcribed Sanskrit words."""
_MIN_RATIO = 1.5
"""Minimum ratio of words that indicate another language to words that indicate one of the four."""
_MIN_SHARE = 0.07
"""Minimum share of all words that indicate another language."""
_MIN_LOWERCASE_SHARE = 0.5
"""Minimum share of all words in lower case, outside quotations and code: a list of names has less."""
_ENGLISH_WORDS = lexicon.FUNCTION_WORDS | lexicon.NEGATIONS | lexicon.HEDGES | lexicon.ABSOLUTES

_SUPPORTED_WORDS = {
    code: words.union(STOP_WORDS.get(code, ()), _ENGLISH_WORDS if code == "en" else ())
    for code, words in SUPPORTED_LANGUAGE_WORDS.items()
}
"""Words of each of the four languages, by language code."""


def _languages_by_indicator(indicators: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    languages: dict[str, list[str]] = defaultdict(list)
    for language, values in indicators.items():
        for indicator in values:
            languages[indicator].append(language)
    return languages


def _is_indicator(word: str) -> bool:
    """Whether a word may indicate another language: single letters may also be units, options and abbreviations."""
    return (len(word) > 1 or not word.isascii()) and word not in AMBIGUOUS


_ALL_SUPPORTED_WORDS = frozenset[str]().union(*_SUPPORTED_WORDS.values())
_LANGUAGES_BY_WORD = _languages_by_indicator(
    {
        name: filter(_is_indicator, words - _ALL_SUPPORTED_WORDS)
        for name, words in OTHER_LANGUAGE_WORDS.items()
    }
)
"""Languages by function word, without the words that one of the four languages has."""
_LANGUAGES_BY_LETTER = _languages_by_indicator(LETTERS)
_FOREIGN_LETTER = re.compile("|".join(_LANGUAGES_BY_LETTER))


class WordCount(NamedTuple):
    """The word counts of one text, or of several texts that count as one.

    `words` are case folded; `lowercase` are those in lower case, outside quotations and code; `indicators` are, by
    language, words that indicate another one and are in none of the four.
    """

    is_latin: bool
    total: int
    words: Counter[str]
    lowercase: Counter[str]
    indicators: Mapping[str, set[str]]


def count_words(*texts: str) -> WordCount:
    """Return the word counts of texts that count as one, from the first 10,000 characters of each."""
    sample = unicodedata.normalize("NFC", "\n".join(text[:_MAX_CHARACTERS] for text in texts))
    words = Counter(word.casefold() for word in _WORD.findall(sample))
    lowercase = Counter(word for word in _WORD.findall(_QUOTED_OR_CODE.sub(" ", sample)) if word.islower())
    indicators: dict[str, set[str]] = defaultdict(set)
    for word in lowercase:
        for language in _languages_of(word):
            indicators[language].add(word)
    return WordCount(is_latin("".join(texts)), words.total(), words, lowercase, indicators)


def _languages_of(word: str) -> Iterator[str]:
    """Yield the languages that a word indicates by itself or by one of its letters, if none of the four has it."""
    yield from _LANGUAGES_BY_WORD.get(word, ())
    if len(word) > 1:
        for letter in _FOREIGN_LETTER.findall(f"{word}_"):
            yield from _LANGUAGES_BY_LETTER[letter]


def why_not_judged(*counts: WordCount) -> str:
    """Return the reason why texts are not judged together, or an empty string if they are judged."""
    if not all(count.is_latin for count in counts):
        return "not judged: the embedded judge reads Latin script only"
    if any(count.indicators for count in counts):
        for count in (*counts, _combine_counts(counts)):
            if language := unsupported_language(count):
                return (
                    f"not judged: the text seems to be {language}; "
                    "the embedded judge was measured on English, German, French and Spanish only"
                )
    return ""


def _combine_counts(counts: Sequence[WordCount]) -> WordCount:
    words, lowercase = Counter[str](), Counter[str]()
    indicators: dict[str, set[str]] = defaultdict(set)
    for count in counts:
        words.update(count.words)
        lowercase.update(count.lowercase)
        for language, language_indicators in count.indicators.items():
            indicators[language] |= language_indicators
    return WordCount(all(count.is_latin for count in counts), words.total(), words, lowercase, indicators)


def unsupported_language(count: WordCount) -> str:
    """Return the English name of a text's language, or an empty string if it may be one of the four."""
    if count.lowercase.total() < _MIN_LOWERCASE_SHARE * count.total:
        return ""
    sizes: dict[str, tuple[int, int]] = {}
    for language, indicators in sorted(count.indicators.items()):
        if all(_outweighs(language, indicators, words, count) for words in _SUPPORTED_WORDS.values()):
            own_words = OTHER_LANGUAGE_WORDS[language] | indicators
            sizes[language] = sum(n for word, n in count.words.items() if word in own_words), len(indicators)
    return max(sizes, key=sizes.__getitem__, default="")


def _outweighs(
    language: str, indicators: set[str], supported_words: frozenset[str], count: WordCount
) -> bool:
    """Whether a text indicates another language more strongly than one of the four."""
    language_words = OTHER_LANGUAGE_WORDS[language]
    words = count.words.items()
    opposing_count = sum(n for word, n in words if word in supported_words and word not in language_words)
    own = (word for word in count.lowercase if word in language_words and word not in supported_words)
    function_words = {word for word in own if _is_indicator(word)}
    all_indicators = function_words | indicators
    min_count = max(_MIN_RATIO * opposing_count, _MIN_SHARE * count.total)
    return (
        len(all_indicators) >= (_MIN_INDICATORS if function_words else _MIN_LETTER_INDICATORS)
        and sum(count.lowercase[word] for word in all_indicators) >= min_count
    )
