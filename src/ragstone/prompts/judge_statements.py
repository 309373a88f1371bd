"""Is each statement relevant to the input? Which passage supports it?"""

from collections.abc import Iterator
from dataclasses import dataclass

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
from ragstone.prompts.base.numbered import EMPTY, NO_STATEMENT, NumberedPrompt
from ragstone.prompts.base.prompt import Prompt, check_in_range
from ragstone.verdict import Verdict, verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeStatements(Prompt[Decisions]):
    """Ask for relevant, supporting or irrelevant on each statement."""

    answer = Decisions
    instruction = """\
Decide for each statement whether it helps to answer the input; whether it is true does not matter.
relevant: it answers the input or a part of it, or says that the answer is not known.
supporting: it does not answer, but explains, limits or qualifies the answer.
irrelevant: it is off the topic, or about another thing than was asked.
Asked "When do you open?": "At 9." relevant, "Hours change in winter." supporting, "We have a café." irrelevant."""
    labels = verdict_labels(yes="relevant", no="irrelevant", idk="supporting")
    one_per = "statements"
    noun = "statement"

    input: str
    statements: tuple[str, ...]


class Attribution(Answer):
    """A statement, and the passage that supports it, if one does.

    Attributes:
        item: number of the sentence that it is, where the prompt numbered them.
        statement: the statement.
        passage: number of the passage.
        reason: why.
        verdict: yes or no; on the wire one of the prompt's labels.
        evidence: what the embedded judge knows beside.
    """

    item: int | None = None
    statement: Text = NO_STATEMENT
    passage: int | None = None
    reason: str | None = None
    verdict: VerdictField
    evidence: InternalGrounding = Field(default=NO_GROUNDING, exclude=True)

    def as_verdict(self) -> Verdict:
        """Return the verdict on the statement."""
        passage = self.passage if self.verdict == "yes" else None
        return self.evidence.verdict(self.statement, self.verdict, self.reason, passage)


class Attributions(Answer):
    """All statements of the expected output."""

    verdicts: tuple[Attribution, ...]


@dataclass(frozen=True, kw_only=True)
class AttributeStatements(NumberedPrompt[Attributions]):
    """Ask for a supporting passage for each sentence of the expected output."""

    answer = Attributions
    instruction = """\
Decide for each sentence of the expected output; first name the passage. Whether it is true does not matter.
supported: a passage states or directly implies all of it, even if another contradicts it; give the lowest such \
number.
unsupported: no single passage does; passage null."""
    labels = verdict_labels(yes="supported", no="unsupported")
    cites = "passages"

    passages: tuple[str, ...]
    input: str
    expected_output: str

    def texts(self) -> tuple[str, ...]:
        """Return the expected output."""
        return (self.expected_output,)

    def evidence(self) -> Iterator[tuple[str, EvidenceText]]:
        """Yield the passages, the input, and the sentences of the expected output."""
        yield "passages", self.passages
        yield "input", self.input
        yield "sentences of the expected output", self.sentences[0]

    def items_of(self, answer: Attributions) -> list[int | None] | None:
        """Return the numbers of the sentences."""
        own = all(one.statement for one in answer.verdicts)
        return None if own else [one.item for one in answer.verdicts]

    def on_sentences(self, answer: Attributions) -> Attributions:
        """Return the sentences with their passages and verdicts."""
        return Attributions(
            verdicts=tuple(
                one.model_copy(update={"statement": text or EMPTY})
                for text, one in zip(self.sentences[0], answer.verdicts, strict=True)
            )
        )

    def check(self, answer: Attributions) -> str | None:
        """Demand at least one statement, and passage numbers that exist."""
        if not answer.verdicts:
            return "There is no statement: the expected output makes at least one."
        return check_in_range((verdict.passage for verdict in answer.verdicts), len(self.passages))
