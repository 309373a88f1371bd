"""Whether texts are in a language on which the judge was measured: English, German, French or Spanish.

Two kinds of lower-case words indicate another language: its function words, and words with letters that none of the
four has (both in `function_words`). A text is refused if one of these words is in none of the four, and if for each of
the four two different words indicate the other language against it, and all such words outnumber by half the words that
indicate that one. Words with a capital, quotations and code count for the four only: "Van Gogh", "La Dolce Vita".
Refusing a good text is worse than judging one in another language, so a short or undecided text is judged.

Texts that are judged together, such as a claim and all its passages, are refused if one of them is in another language,
or all of them together are: a claim in English on passages in Italian was never measured either. The passages count as
one text: if some are in English and some in Italian, Italian must prevail by half.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ragstone.judges.local.text import lexicon
from ragstone.judges.local.text.function_words import AMBIGUOUS, LETTERS, MORE_WORDS, OTHER_WORDS, STOP_WORDS
from ragstone.judges.local.text.tokens import is_latin

_WORD = re.compile(r"[^\W\d_]+")
_SET_APART = re.compile(
    r"\"[^\"]{1,300}\"|[“„][^“”„]{1,300}[”“]|«[^«»]{1,300}»|`[^`]{1,300}`|```.*?(?:```|\Z)", re.DOTALL
)
"""Quotations and code."""
_READ = 10_000
"""Characters of each text that are read."""
_LEAST = 2
"""Different words that must indicate another language against each of the four."""
_LEAST_LETTERS = 4
"""The same if only letters indicate it, as those of transcribed words in Sanskrit do."""
_LEAD = 1.5
"""Required ratio of words that indicate another language to words that indicate one of the four."""
_SHARE = 0.07
"""Share of all words that must indicate another language."""
_SMALL = 0.5
"""Share of all words that must be in lower case, outside quotations and code: a list of names has less."""
_ENGLISH = lexicon.FUNCTION_WORDS | lexicon.NEGATIONS | lexicon.HEDGES | lexicon.ABSOLUTES

_MEASURED = {
    code: words.union(STOP_WORDS.get(code, ()), _ENGLISH if code == "en" else ())
    for code, words in MORE_WORDS.items()
}


def _by_sign(signs: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return the languages of each word or letter."""
    found: dict[str, list[str]] = defaultdict(list)
    for language, group in signs.items():
        for sign in group:
            found[sign].append(language)
    return found


def _tells(word: str) -> bool:
    """Whether a word may indicate another language: single letters may be units, options and abbreviations too."""
    return (len(word) > 1 or not word.isascii()) and word not in AMBIGUOUS


_SHARED = frozenset[str]().union(*_MEASURED.values())
_OWNERS = _by_sign({name: filter(_tells, words - _SHARED) for name, words in OTHER_WORDS.items()})
"""For each word that none of the four languages has, the languages that have it."""
_LETTER_OWNERS = _by_sign(LETTERS)
_LETTER = re.compile("|".join(_LETTER_OWNERS))


class WordCount(NamedTuple):
    """The word counts of one text, or of several texts that count as one.

    Attributes:
        latin: whether it is in Latin script.
        total: how many words there are.
        words: how often each occurs, case folded.
        small: the same without words with a capital, quotations and code.
        signs: of each other language, the words that only it and others like it have.
    """

    latin: bool
    total: int
    words: Counter[str]
    small: Counter[str]
    signs: Mapping[str, set[str]]


def count_words(*texts: str) -> WordCount:
    """Return the words of texts that are read as one, from the first 10,000 characters of each."""
    read = unicodedata.normalize("NFC", "\n".join(text[:_READ] for text in texts))
    words = Counter(word.casefold() for word in _WORD.findall(read))
    small = Counter(word for word in _WORD.findall(_SET_APART.sub(" ", read)) if word.islower())
    signs: dict[str, set[str]] = defaultdict(set)
    for word in small:
        for name in _languages_of(word):
            signs[name].add(word)
    return WordCount(is_latin("".join(texts)), words.total(), words, small, signs)


def _languages_of(word: str) -> Iterator[str]:
    """Yield the languages that have a word, or a letter of it, which none of the four has."""
    yield from _OWNERS.get(word, ())
    if len(word) > 1:
        for letter in _LETTER.findall(f"{word}_"):
            yield from _LETTER_OWNERS[letter]


def why_not_judged(*counts: WordCount) -> str:
    """Return why texts that are judged together are not judged, or an empty text where they are."""
    if not all(count.latin for count in counts):
        return "not judged: the embedded judge reads Latin script only"
    if any(count.signs for count in counts):
        for count in (*counts, _together(counts)):
            if language := other_language(count):
                return (
                    f"not judged: the text seems to be {language}; "
                    "the embedded judge was measured on English, German, French and Spanish only"
                )
    return ""


def _together(counts: Sequence[WordCount]) -> WordCount:
    words, small = Counter[str](), Counter[str]()
    signs: dict[str, set[str]] = defaultdict(set)
    for count in counts:
        words.update(count.words)
        small.update(count.small)
        for name, found in count.signs.items():
            signs[name] |= found
    return WordCount(all(count.latin for count in counts), words.total(), words, small, signs)


def other_language(count: WordCount) -> str:
    """Return in which language a text is written, in English, or an empty text where it may be one of the four."""
    if count.small.total() < _SMALL * count.total:
        return ""
    likely = {
        name: sum(n for word, n in count.words.items() if word in OTHER_WORDS[name] or word in signs)
        for name, signs in sorted(count.signs.items())
        if all(_prevails(name, signs, words, count) for words in _MEASURED.values())
    }
    return max(likely, key=lambda name: (likely[name], len(count.signs[name])), default="")


def _prevails(name: str, signs: set[str], measured: frozenset[str], count: WordCount) -> bool:
    """Whether a text indicates another language more than one of the four."""
    others = OTHER_WORDS[name]
    against = sum(n for word, n in count.words.items() if word in measured and word not in others)
    own = {word for word in count.small if word in others and word not in measured and _tells(word)}
    speaking = own | signs
    least = max(_LEAD * against, _SHARE * count.total)
    return (
        len(speaking) >= (_LEAST if own else _LEAST_LETTERS)
        and sum(count.small[word] for word in speaking) >= least
    )
