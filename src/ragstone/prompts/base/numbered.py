"""Prompts that number the sentences of a text: an answer names them, and is as long as there are sentences.

A model that splits a text itself repeats it in its answer, forgets parts of it, or does not end. Where the sentences
are numbered the schema knows how many verdicts there are, and nothing is repeated.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from ragstone.prompts.base.answer import Answer, Decisions
from ragstone.prompts.base.parse import BrokenContract
from ragstone.prompts.base.prompt import Prompt, check_each_item
from ragstone.prompts.base.schema import wire_schema
from ragstone.prompts.base.sentences import sentences_of

A = TypeVar("A", bound=Answer)

NO_STATEMENT = ""
"""The statement of a verdict that names its sentence by number, as a language model is asked to."""

EMPTY = "(empty)"
"""The statement of a text without a word."""


@dataclass(frozen=True, kw_only=True)
class NumberedPrompt(Prompt[A]):
    """Base of the prompts with one verdict for each sentence of a text.

    An answer with statements of its own, as the embedded judge or a script gives it, is read too.
    """

    noun: ClassVar[str] = "sentence"

    @abstractmethod
    def texts(self) -> Sequence[str]:
        """Return the texts whose sentences are judged."""

    @abstractmethod
    def items_of(self, answer: A) -> Sequence[int | None] | None:
        """Return the numbers that an answer gives; None where it brings its own statements."""

    @abstractmethod
    def on_sentences(self, answer: A) -> A:
        """Return an answer of one verdict for each sentence with the sentences written out."""

    @cached_property
    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The sentences of each text; the prompt numbers them through."""
        return sentences_of(self.texts())

    def entry_count(self) -> int:
        """Return how many sentences there are."""
        return sum(map(len, self.sentences))

    def read(self, text: str, *, lenient: bool = False) -> A:
        """Return the answer that a model wrote, with the sentences that it names; see `Prompt.read`.

        Raises:
            BrokenContract: it has not one verdict for each sentence.
            ValueError: it has another shape.
        """
        answer = super().read(text, lenient=lenient)
        items = self.items_of(answer)
        if items is None:
            return answer
        problem = check_each_item(items, self.entry_count(), self.noun)
        if problem is not None:
            raise BrokenContract(problem)
        return self.on_sentences(answer)

    @classmethod
    def answer_schema(cls) -> Mapping[str, Any]:
        """Return the schema of one decision for each sentence."""
        return wire_schema(Decisions, tuple(cls.labels), numbered=True, cites=cls.cites is not None)
