"""Words of a text for counting and comparing: stems of content words, names and numbers, by language."""

import re
from functools import lru_cache

from ragstone.judges.local.text.tokens import forms

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*", re.UNICODE)
_NAME = re.compile(r"`[^`]+`|\b[A-ZÀ-Þ][\w'’-]*|\b\w*\d[\w.,:-]*")

STOP_WORDS = {
    "en": frozenset(
        """a an and are as at be been being but by can could did do does for from had has have how i if in into is it its
        may more most not of on or our out over shall should so some such than that the their them then there these they
        this those to was we were what when where which who whom whose why will with would you your no nor only own same too
        very each any all both also just about against between during before after above below up down off again once here
        """.split()
    ),
    "de": frozenset(
        """der die das den dem des ein eine einer eines einem einen und oder aber ist sind war waren wird werden wurde wurden
        von vom zu zum zur mit auf in im an am aus bei für durch um nach vor über unter nicht kein keine als wie was wer wann
        wo warum welche welcher welches es er sie wir ihr ich sich auch nur noch schon hat haben hatte dass wenn so sehr man
        """.split()
    ),
    "fr": frozenset(
        """le la les l un une des du de d et ou mais est sont était a à au aux ont avait par pour dans en sur sous avec sans ne
        pas plus que qui quoi quand où comment pourquoi quel quelle quels quelles ce cet cette ces il elle ils elles nous vous
        je on se s y son sa ses leur leurs été être avoir qu n c t
        """.split()
    ),
}
"""Function words by language, of the languages in which questions can be written by rules."""

_ALL_STOP_WORDS = frozenset[str]().union(*STOP_WORDS.values())


_SHORT = 100
"""Characters up to which the words of a text are remembered."""


def stems_of(text: str) -> list[str]:
    """Return the stems of all words and numbers of a text in order; numbers have one spelling."""
    return [_stem(word) for word in _WORD.findall(text)]


def content_words(text: str) -> tuple[str, ...]:
    """Return the stems of the words of a text without function words, in order; those of short texts are remembered."""
    return _remembered_words(text) if len(text) <= _SHORT else _content_words(text)


@lru_cache(maxsize=16384)
def _remembered_words(text: str) -> tuple[str, ...]:
    return _content_words(text)


def _content_words(text: str) -> tuple[str, ...]:
    return tuple(
        _stem(word)
        for word in _WORD.findall(text)
        if word.casefold() not in _ALL_STOP_WORDS and (len(word) > 1 or word.isdigit())
    )


def content_set(text: str) -> frozenset[str]:
    """Return the different stems of the content words of a text."""
    return frozenset(content_words(text))


def names_in(text: str) -> frozenset[str]:
    """Return the stems of the names, codes and numbers of a text: what a question has to repeat."""
    found = " ".join(match.strip("`") for match in _NAME.findall(text))
    return content_set(found)


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    return forms(word)[1] or word.casefold()
