"""What is each passage worth: relevant statements, use for the expected output, agreement with the actual output."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from pydantic import Field

from ragstone.prompts.base.answer import (
    NO_GROUNDING,
    Answer,
    Decisions,
    InternalGrounding,
    Text,
    VerdictField,
)
from ragstone.prompts.base.fence import EvidenceText, fence
from ragstone.prompts.base.numbered import EMPTY, NO_STATEMENT, NumberedPrompt
from ragstone.prompts.base.prompt import Prompt, check_in_range
from ragstone.verdict import Verdict, verdict_labels


class PassageStatement(Answer):
    """A statement of a passage, and whether it is relevant.

    Attributes:
        item: number of the sentence that it is, where the prompt numbered them.
        passage: number of its passage.
        statement: the statement.
        reason: why.
        verdict: yes or no; on the wire one of the prompt's labels.
        evidence: what the embedded judge knows beside.
    """

    item: int | None = None
    passage: int = 0
    statement: Text = NO_STATEMENT
    reason: str | None = None
    verdict: VerdictField
    evidence: InternalGrounding = Field(default=NO_GROUNDING, exclude=True)

    def as_verdict(self) -> Verdict:
        """Return the verdict on the statement."""
        return self.evidence.verdict(self.statement, self.verdict, self.reason, self.passage)


class PassageStatements(Answer):
    """The statements of all passages."""

    verdicts: tuple[PassageStatement, ...]


@dataclass(frozen=True, kw_only=True)
class JudgePassages(NumberedPrompt[PassageStatements]):
    """Ask for relevant or irrelevant on the sentences of every passage, which are numbered through."""

    answer = PassageStatements
    instruction = """\
Decide for each sentence, read in its passage; a reason has at most 8 words.
relevant: at least a part of it belongs in a good answer to the input: what is asked, or a condition or exception of it.
irrelevant: anything else, even on the same subject; so is a heading or an empty sentence."""
    labels = verdict_labels(yes="relevant", no="irrelevant")
    reason_words = 8

    passages: tuple[str, ...]
    input: str

    def texts(self) -> tuple[str, ...]:
        """Return the passages."""
        return self.passages

    def evidence(self) -> Iterator[tuple[str, EvidenceText]]:
        """Yield the sentences of each passage, then the input."""
        if not self.passages:
            yield "passages", ()
        for number, found in enumerate(self.sentences, 1):
            yield f"sentences of passage {number}", found
        yield "input", self.input

    def fenced(self) -> Iterator[str]:
        """Yield the passages as one part, with their sentences numbered through, then the rest."""
        *passages, (label, question) = self.evidence()
        firsts = accumulate(map(len, self.sentences), initial=1)
        parts = zip(passages, firsts, strict=False)
        yield "\n".join(fence(name, found, first) for (name, found), first in parts)
        yield fence(label, question)

    def items_of(self, answer: PassageStatements) -> list[int | None] | None:
        """Return the numbers of the sentences."""
        own = bool(answer.verdicts) and all(one.statement for one in answer.verdicts)
        return None if own else [one.item for one in answer.verdicts]

    def on_sentences(self, answer: PassageStatements) -> PassageStatements:
        """Return the sentences with their passages and verdicts."""
        places = [(number, text) for number, found in enumerate(self.sentences, 1) for text in found]
        return PassageStatements(
            verdicts=tuple(
                one.model_copy(update={"passage": number, "statement": text or EMPTY})
                for (number, text), one in zip(places, answer.verdicts, strict=True)
            )
        )

    def check(self, answer: PassageStatements) -> str | None:
        """Demand statements of every passage, and of no other."""
        numbers = {verdict.passage for verdict in answer.verdicts}
        absent = [number for number in range(1, len(self.passages) + 1) if number not in numbers]
        if absent:
            return f"No statement of passage {', '.join(map(str, absent))}: every passage has at least one."
        return check_in_range(numbers, len(self.passages))


@dataclass(frozen=True, kw_only=True)
class JudgeUsefulness(Prompt[Decisions]):
    """Ask for useful or not_useful on each passage, in rank order."""

    answer = Decisions
    instruction = """\
Decide for each passage, taken alone, whether it helps to arrive at the expected output.
useful: at least a part of one statement of the expected output follows from it.
not_useful: none does, though it may share the topic or only contradicts the expected output; so is an empty one. \
Expected "Entry costs 5 euros.", passage "Entry is until 6 pm." -> not_useful."""
    labels = verdict_labels(yes="useful", no="not_useful")
    one_per = "passages"
    noun = "passage"

    passages: tuple[str, ...]
    input: str
    expected_output: str


@dataclass(frozen=True, kw_only=True)
class JudgeAgreement(Prompt[Decisions]):
    """Ask on each context whether the output agrees with it or contradicts it."""

    answer = Decisions
    instruction = """\
Decide for each passage, taken alone, whether the actual output contradicts it.
agrees: no; so too if they speak of different things, one says more, or a condition is left out.
contradicts: on the same point the output gives another number, date, name, negation, condition or relation.
The reason quotes the closest pair of words, or says "different subjects". Passage "Open until 6 pm.", output "Open \
until 8 pm; parking is free." -> contradicts."""
    labels = verdict_labels(yes="agrees", no="contradicts")
    one_per = "contexts"
    noun = "passage"

    contexts: tuple[str, ...] = field(metadata={"label": "passages"})
    actual_output: str
