"""A fact: a checkable statement of a passage, with its position in the text and the question that it answers."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ragstone.drafts.words import content_words

FactForm = Literal["asked", "attribute", "cell", "blank", "label", "sentence", "definition", "task", "search"]
"""Where a statement was found, in order: below a question of the document, in a sentence "the price of X is 5", in a
cell, in an empty cell (the value is that of another row), in a line "label: value", in another sentence, in a
definition, below a heading that names a task, and in a section, which search words name."""

POINTS_ELSEWHERE = re.compile(
    r"\b(?:above|below|see (?:the|also)|these|those|there|here|too|likewise|the same|as follows|following)\b|"
    r"\b(?:oben|unten|siehe|folgende\w*|ci-dessus|ci-dessous|this [a-z]+)\b|"
    r"\bhow (?:much|many|often|far|well) (?:that|this|it|they)\b|"
    r"^(?:its?|they|…)\b|…$|^(?:\w+ )?(?:their|them|these|those|both)\b|\b(?:it|them|that|this|so|both)\W*$|"
    r"\bone(?:[,.;]|$)|\b(?:that|such) (?:time|way|case|number|order|file|value|name)\b",
    re.IGNORECASE,
)
"""Matches words in an answer that refer to the text around it."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement of a passage, with the question that it answers, which is understood without the document.

    Attributes:
        form: where the statement was found.
        passage: index of the passage in the corpus.
        span: start and end of the statement in the passage.
        question: the question.
        subject: the subject of the statement.
        attribute: the attribute of the subject; empty if the whole statement is the answer.
        value: the answer.
        article: the article of the attribute, in languages that need it.
        noun: common noun for the subject, from the header of its column, such as "option"; empty if there is none.
    """

    form: FactForm
    passage: int
    span: tuple[int, int]
    question: str
    subject: str
    attribute: str
    value: str
    article: str = ""
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
