"""Is each statement relevant to the input? Which passage supports it?"""

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
from ragstone.prompts.base.prompt import SPLIT, Prompt, check_in_range
from ragstone.prompts.base.schema import AnswerBounds, most_entries
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
    """A statement, and the passage that supports it, if one does."""

    statement: Text
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
class AttributeStatements(Prompt[Attributions]):
    """Ask for the statements of the expected output, and a supporting passage for each."""

    answer = Attributions
    instruction = f"""\
Split the expected output into statements. {SPLIT}\
Decide for each; the passage comes first, and whether a statement is true does not matter:
supported: a passage states or directly implies all of it, even if another contradicts it; give the lowest such \
number.
unsupported: no single passage does; passage null."""
    labels = verdict_labels(yes="supported", no="unsupported")
    cites = "passages"

    passages: tuple[str, ...]
    input: str
    expected_output: str

    def bounds(self) -> AnswerBounds:
        """Bound the number of statements by the length of the text."""
        most = most_entries([self.expected_output])
        return AnswerBounds(lists={"verdicts": (1, most)}, numbers=super().bounds().numbers)

    def check(self, answer: Attributions) -> str | None:
        """Demand at least one statement, and passage numbers that exist."""
        if not answer.verdicts:
            return "There is no statement: the expected output makes at least one."
        return check_in_range((verdict.passage for verdict in answer.verdicts), len(self.passages))
