"""What is each passage worth: relevant statements, use for the expected output, agreement with the actual output."""

from dataclasses import dataclass, field

from pydantic import Field

from ragstone.prompts.base.answer import (
    NO_GROUNDING,
    Answer,
    Decisions,
    InternalGrounding,
    Text,
    VerdictField,
)
from ragstone.prompts.base.prompt import SPLIT, Prompt, check_in_range
from ragstone.prompts.base.schema import AnswerBounds, most_entries
from ragstone.verdict import Verdict, verdict_labels


class PassageStatement(Answer):
    """A statement of a passage, and whether it is relevant."""

    passage: int
    statement: Text
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
class JudgePassages(Prompt[PassageStatements]):
    """Ask for the statements of every passage, each relevant to the input or not."""

    answer = PassageStatements
    instruction = f"""\
Split every passage into statements. {SPLIT}\
Give each with its passage's number and a reason of at most 8 words, and decide:
relevant: it belongs in a good answer to the input: what is asked, or a condition or exception of it.
irrelevant: anything else, even on the same subject.
A passage without a statement (empty, a heading) has one entry: its text, irrelevant."""
    labels = verdict_labels(yes="relevant", no="irrelevant")
    cites = "passages"
    reason_words = 8

    passages: tuple[str, ...]
    input: str

    def bounds(self) -> AnswerBounds:
        """Demand one statement a passage, and bound their number by the length of the passages."""
        most = most_entries(self.passages)
        count = len(self.passages)
        return AnswerBounds(
            lists={"verdicts": (count, None if most is None else max(most, count))},
            numbers=super().bounds().numbers,
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
