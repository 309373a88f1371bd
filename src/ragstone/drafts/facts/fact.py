"""A fact: something checkable that a passage states, with the words that state it."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ragstone.drafts.text.words import content_words

FactForm = Literal[
    "attribute", "cell", "verb_cell", "action", "year", "count", "definition", "entry", "steps", "asked"
]
"""How a fact is stated: "the price of X is 5", a cell, "`x` returns …", "X was founded in 1900", "X has 3 doors",
"X is a lamp", an entry of a list of terms, a heading that names a task, a heading or line that is a question."""


POINTS_ELSEWHERE = re.compile(
    r"\b(?:above|below|see (?:the|also)|these|those|there|here|too|likewise|the same|oben|unten|siehe|ci-dessus)\b",
    re.IGNORECASE,
)
"""Words of an answer that cannot be understood without the text around it."""


_POINTS_BACK = re.compile(
    r"^(?:\w+ )?(?:their|them|these|those|both)\b|\b(?:it|them|that|this|so|both)\W*$|\bone(?:[,.;]|$)|"
    r"\bhow (?:much|many|often|far|well) (?:that|this|it|they)\b|"
    r"\bthis [a-z]|\b(?:that|such) (?:time|way|case|number|order|file|value|name)\b",
    re.IGNORECASE,
)


def points_back(value: str) -> bool:
    """Return whether a value ends with, or turns on, a pronoun that stands for something said before it."""
    return _POINTS_BACK.search(value) is not None


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a passage states.

    Attributes:
        form: how it is stated.
        passage: index of the passage in the corpus.
        span: where the statement stands in the passage.
        subject: what it is about.
        attribute: what is said of it; empty where the statement as a whole answers.
        value: the answer.
        article: the article of the attribute, in languages that need it.
        table: identifies the table of a cell, so that two cells of one column can be compared.
        noun: what the subject is called by its column, such as "option"; empty where nothing says so.
    """

    form: FactForm
    passage: int
    span: tuple[int, int]
    subject: str
    attribute: str
    value: str
    article: str = ""
    table: str = ""
    noun: str = ""

    @property
    def subject_key(self) -> tuple[str, ...]:
        """The subject as sorted stems, by which two passages are about the same."""
        return _sorted_words(self.subject)

    @property
    def attribute_key(self) -> tuple[str, ...]:
        """The attribute as sorted stems."""
        return _sorted_words(self.attribute)


@lru_cache(maxsize=16384)
def _sorted_words(text: str) -> tuple[str, ...]:
    return tuple(sorted(content_words(text)))
