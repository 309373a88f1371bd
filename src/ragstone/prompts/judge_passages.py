"""Which statements of each passage are relevant to the input?"""

from dataclasses import dataclass

from pydantic import Field

from ragstone.prompts.base.answer import NO_GROUNDING, Answer, InternalGrounding, Text, VerdictField
from ragstone.prompts.base.prompt import Prompt, check_in_range
from ragstone.verdict import Verdict


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
    instruction = """\
Break every passage into statements, one fact each, add none, lose none, and decide for each:
yes: it helps to answer the input, in whole or in part.
no: it does not, though it may share the topic or some words.
Give each with its passage's number; every passage has at least one: without content, its text and no."""

    passages: tuple[str, ...]
    input: str

    def check(self, answer: PassageStatements) -> str | None:
        """Demand statements of every passage, and of no other."""
        numbers = {verdict.passage for verdict in answer.verdicts}
        absent = [number for number in range(1, len(self.passages) + 1) if number not in numbers]
        if absent:
            return f"No statement of passage {', '.join(map(str, absent))}: every passage has at least one."
        return check_in_range(numbers, len(self.passages))
