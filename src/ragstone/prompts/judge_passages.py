"""Which statements of each passage are relevant to the input?"""

from dataclasses import dataclass

from ragstone.prompts._answer import Answer, Decision, Text
from ragstone.prompts._base import Prompt, in_range
from ragstone.verdict import Verdict


class PassageStatement(Decision):
    """A statement of a passage, and whether it is relevant."""

    passage: int
    statement: Text

    def verdict_on_it(self) -> Verdict:
        """Return the verdict on the statement."""
        evidence = self.evidence.model_copy(update={"passage": self.passage})
        return self.model_copy(update={"evidence": evidence}).on(self.statement)


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
        return in_range(numbers, len(self.passages))
