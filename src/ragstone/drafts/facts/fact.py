"""A fact: a checkable statement of a passage, with its position in the text."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ragstone.drafts.text.words import content_words

FactForm = Literal[
    "attribute", "cell", "verb_cell", "action", "year", "count", "definition", "entry", "steps", "asked"
]
"""Form of the statement, in order: "the price of X is 5", a table cell, a cell of a column whose name is a verb, "`x`
returns …", "X was founded in 1900", "X has 3 doors", "X is a lamp", an entry of a list of terms, a heading that names a
task, a heading that is a question."""


POINTS_ELSEWHERE = re.compile(
    r"\b(?:above|below|see (?:the|also)|these|those|there|here|too|likewise|the same|oben|unten|siehe|ci-dessus)\b",
    re.IGNORECASE,
)
"""Matches words in an answer that refer to the text around it."""


_BACK_REFERENCE = re.compile(
    r"^(?:\w+ )?(?:their|them|these|those|both)\b|\b(?:it|them|that|this|so|both)\W*$|\bone(?:[,.;]|$)|"
    r"\bhow (?:much|many|often|far|well) (?:that|this|it|they)\b|"
    r"\bthis [a-z]|\b(?:that|such) (?:time|way|case|number|order|file|value|name)\b",
    re.IGNORECASE,
)


def points_back(value: str) -> bool:
    """Return whether a value depends on a pronoun or a phrase that refers to earlier text."""
    return _BACK_REFERENCE.search(value) is not None


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement of a passage.

    Attributes:
        form: the form of the statement.
        passage: index of the passage in the corpus.
        span: start and end of the statement in the passage.
        subject: the subject of the statement.
        attribute: the attribute of the subject; empty if the whole statement is the answer.
        value: the answer.
        article: the article of the attribute, in languages that need it.
        table: identifies the table and column of a cell, so that two cells of one column can be compared.
        noun: common noun for the subject, from the header of its column, such as "option"; empty if there is none.
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
        """The subject as sorted stems; equal keys mean the same subject."""
        return _sorted_words(self.subject)

    @property
    def attribute_key(self) -> tuple[str, ...]:
        """The attribute as sorted stems."""
        return _sorted_words(self.attribute)


@lru_cache(maxsize=16384)
def _sorted_words(text: str) -> tuple[str, ...]:
    return tuple(sorted(content_words(text)))
