"""Which passage supports each statement of the expected output?"""

from dataclasses import dataclass

from pydantic import Field

from ragstone.prompts.base.answer import NO_GROUNDING, Answer, InternalGrounding, Text, VerdictField
from ragstone.prompts.base.prompt import Prompt, check_in_range
from ragstone.verdict import Verdict


class Attribution(Answer):
    """A statement, and the passage that supports it, if one does."""

    statement: Text
    reason: str | None = None
    verdict: VerdictField
    passage: int | None = None
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
        return check_in_range((verdict.passage for verdict in answer.verdicts), len(self.passages))
