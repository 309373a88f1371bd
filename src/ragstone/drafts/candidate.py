"""A candidate: a question with its expected output and its evidence, before the checks."""

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Literal, get_args

from ragstone.drafts.facts.fact import Fact
from ragstone.drafts.passage import DraftPassage

QuestionKind = Literal[
    "single", "table", "multi", "comparison", "follow_up", "false_premise", "unanswerable", "known_item"
]
"""Kinds of questions, in order: about one passage, about a table cell, about two passages, a comparison of two things,
the second turn of a conversation, with a wrong premise, without an answer in the passages, and search words that
name a section, a line or a cell."""

KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)


@dataclass(frozen=True, slots=True)
class EvidenceSpan:
    """A verbatim quote: the index of its passage in the corpus, and its offsets in the passage."""

    passage: int
    start: int
    end: int

    def quote(self, corpus: tuple[DraftPassage, ...]) -> str:
        """Return the quoted text."""
        return corpus[self.passage].text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class DraftSlot:
    """What a judge writes one question of: one or two passages."""

    kind: QuestionKind
    passages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DraftCandidate:
    """A question, before it is checked.

    Attributes:
        kind: what it asks for.
        question: the question; of a follow-up, the second one.
        answer: the expected output; empty where there is none.
        evidence: the quotes that the answer rests on.
        language: the language it is written in.
        method: how it was written: `rules:` and the form of the fact, or `judge`.
        facts: the facts that it asks for, where rules found them.
        opening: question and answer of the first turn of a follow-up.
        withheld: whether its document is left out of the index.
    """

    kind: QuestionKind
    question: str
    answer: str
    evidence: tuple[EvidenceSpan, ...]
    language: str
    method: str
    facts: tuple[Fact, ...] = field(default=(), compare=False)
    opening: tuple[str, str] | None = None
    withheld: bool = False

    @property
    def key(self) -> str:
        """A hash of kind, question and evidence, the same in every process."""
        text = f"{self.kind}\0{self.question}\0{self.opening}\0{self.evidence}"
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    @property
    def asked(self) -> str:
        """The question; for a follow-up, the first question and then the second one."""
        return f"{self.opening[0]} {self.question}" if self.opening else self.question

    @property
    def answerable(self) -> bool:
        """Whether the answer is in the indexed passages."""
        return self.kind != "unanswerable" and not self.withheld

    @property
    def passages(self) -> tuple[int, ...]:
        """The passages of the evidence, without repetition, in order."""
        return tuple(dict.fromkeys(span.passage for span in self.evidence))
