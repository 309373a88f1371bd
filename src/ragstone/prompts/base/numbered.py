"""Prompts that number the sentences of a text: an answer refers to them by number, with one entry for each sentence.

A model that splits a text itself copies it into its answer, omits parts of it, or does not stop. With numbered
sentences the schema fixes the number of verdicts, and no text is copied.

The evidence is the same as in the other prompts of a test case, so that they share a prefix, or one request. After the
evidence, a list names each sentence by its first words, as many as tell it from the others.
"""

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

from pydantic import Field

from ragstone.prompts.base.answer import (
    NO_GROUNDING,
    Answer,
    Decisions,
    InternalGrounding,
    Text,
    VerdictField,
)
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.prompt import Prompt, check_each_item
from ragstone.prompts.base.schema import wire_schema

MOST_SENTENCES = 128
"""Sentences that one prompt numbers at most; in longer texts, neighbours share a number."""

_NO_STATEMENT = ""
_EMPTY_SENTENCE = "(empty)"
_PREVIEW = 16
"""Characters of a sentence by which it is named, unless another begins alike."""
_REPLY = re.compile(r"[A-Za-z\u00c0-\u052f]{1,8}[.,!:]")
"""A sentence of one word, such as "Yes.", which shares its number with the sentence after it."""


class SentenceVerdict(Answer):
    """A verdict on a sentence that the prompt numbered, or on a statement that the judge took from the text.

    Attributes:
        item: number of the sentence, where the judge names it.
        passage: number of a passage.
        statement: the sentence or statement; empty only until the prompt has read the answer.
        reason: why.
        verdict: yes or no; on the wire one of the prompt's labels.
        evidence: what the embedded judge knows beside.
    """

    item: int | None = None
    passage: int | None = None
    statement: Text = _NO_STATEMENT
    reason: str | None = None
    verdict: VerdictField
    evidence: InternalGrounding = Field(default=NO_GROUNDING, exclude=True)


class NumberedSentence(NamedTuple):
    """A sentence, or neighbours that share a number, and the number of the text that it is from."""

    part: int
    text: str


A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, kw_only=True)
class NumberedPrompt(Prompt[A]):
    """Base of the prompts with one verdict for each sentence of a text, or of several.

    An answer with statements of its own, as the embedded judge, a script or an older record gives it, is read too.

    Attributes:
        listed_as: label of the list of sentences.
    """

    noun: ClassVar[str] = "sentence"
    listed_as: ClassVar[str]

    @abstractmethod
    def split(self) -> Sequence[str]:
        """Return the texts whose sentences are numbered."""

    @abstractmethod
    def listed(self) -> tuple[str, ...]:
        """Return the entry of each sentence in the list."""

    @cached_property
    def sentences(self) -> tuple[NumberedSentence, ...]:
        """The sentences of all texts, in order: each text has at least one."""
        return number_sentences(self.split())

    def lists(self) -> Iterator[tuple[str, EvidenceText]]:
        """Yield the list of sentences."""
        if self.sentences:
            yield self.listed_as, self.listed()

    def entry_count(self) -> int:
        """Return how many sentences there are."""
        return len(self.sentences)

    def read(self, text: str, *, lenient: bool = False) -> A:
        """Return the answer that a model wrote, with the sentences that it names; see `Prompt.read`."""
        answer = super().read(text, lenient=lenient)
        verdicts = verdicts_of(answer)
        if _has_own_statements(verdicts) or self._numbering_problem(verdicts):
            return answer
        pairs = zip(self.sentences, verdicts, strict=True)
        return answer.model_copy(update={"verdicts": tuple(self._with_sentence(*pair) for pair in pairs)})

    def check(self, answer: A) -> str | None:
        """Require one verdict for each sentence, or statements of the judge's own."""
        verdicts = verdicts_of(answer)
        return None if _has_own_statements(verdicts) else self._numbering_problem(verdicts)

    @classmethod
    def answer_schema(cls) -> Mapping[str, Any]:
        """Return the schema of one decision for each sentence."""
        return wire_schema(Decisions, tuple(cls.labels), numbered=True, cites=cls.cites is not None)

    def _numbering_problem(self, verdicts: Sequence[SentenceVerdict]) -> str | None:
        return check_each_item([verdict.item for verdict in verdicts], self.entry_count(), self.noun)

    def _with_sentence(self, sentence: NumberedSentence, verdict: SentenceVerdict) -> SentenceVerdict:
        """Return a verdict with its sentence; if the prompt cites no passages, the passage is the text it is from."""
        passage = {} if self.cites else {"passage": sentence.part}
        return verdict.model_copy(update={"statement": sentence.text or _EMPTY_SENTENCE, **passage})


def verdicts_of(answer: Answer) -> tuple[SentenceVerdict, ...]:
    """Return the verdicts of an answer to a prompt that numbers sentences."""
    return cast("Any", answer).verdicts


def first_words(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the first words of each sentence, on one line: more of those that begin like another one."""
    lines = [" ".join(text.split()) for text in texts]
    shown = dict.fromkeys(lines, "")
    alike, length = set(lines), _PREVIEW
    while alike:
        shown |= {line: shortened(line, length) for line in alike}
        counts = Counter(shown.values())
        alike = {line for line, words in shown.items() if counts[words] > 1}
        length *= 2
    return tuple(shown[line] for line in lines)


def shortened(line: str, length: int = _PREVIEW) -> str:
    """Return the first words of a line, at most `length` characters; a shorter line is returned whole.

    A word that would leave less than half of the characters is cut: "No. Made-to-orde".
    """
    if len(line) <= length:
        return line
    end = line.rfind(" ", length // 2, length + 1)
    return line[:end] if end > 0 else line[:length]


def number_sentences(texts: Sequence[str]) -> tuple[NumberedSentence, ...]:
    """Return the sentences of the texts; a text without a word is one sentence, so that each text has a verdict.

    If there are more than `MOST_SENTENCES`, neighbours are joined.
    """
    sentences_by_text = [_sentences(text) for text in texts]
    group_size = max(1, -(-sum(map(len, sentences_by_text)) // MOST_SENTENCES))
    return tuple(
        NumberedSentence(part, " ".join(text_sentences[start : start + group_size]))
        for part, text_sentences in enumerate(sentences_by_text, 1)
        for start in range(0, len(text_sentences), group_size)
    )


def _sentences(text: str) -> list[str]:
    from ragstone.text.sentences import sentences  # noqa: PLC0415  (compiles long patterns)

    pieces: list[str] = []
    for start, end in sentences(text):
        piece = text[start:end]
        if pieces and _REPLY.fullmatch(pieces[-1]):
            piece = f"{pieces.pop()} {piece}"
        if any(map(str.isalnum, piece)):
            pieces.append(piece)
    return pieces or [text.strip()]


def _has_own_statements(verdicts: Sequence[SentenceVerdict]) -> bool:
    return bool(verdicts) and all(verdict.statement for verdict in verdicts)
