"""Which passage supports each statement of the expected output?"""

from dataclasses import dataclass

from pydantic import Field

from ragstone.prompts._answer import NOWHERE, Answer, JudgeOnly, Text, VerdictWord
from ragstone.prompts._base import Prompt, in_range
from ragstone.verdict import Verdict


class Attribution(Answer):
    """A statement, and the passage that supports it, if one does."""

    statement: Text
    reason: str | None = None
    verdict: VerdictWord
    passage: int | None = None
    evidence: JudgeOnly = Field(default=NOWHERE, exclude=True)

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
    instruction = """\
Break the expected output into statements: self-contained, one fact each, add none, lose none. Decide for each:
yes: one passage states or directly implies all of it; give its number.
no: no passage does, or only in part, or one contradicts it; passage null. Whether it is true does not matter."""

    passages: tuple[str, ...]
    input: str
    expected_output: str

    def check(self, answer: Attributions) -> str | None:
        """Demand at least one statement, and passage numbers that exist."""
        if not answer.verdicts:
            return "There is no statement: the expected output makes at least one."
        return in_range((verdict.passage for verdict in answer.verdicts), len(self.passages))
