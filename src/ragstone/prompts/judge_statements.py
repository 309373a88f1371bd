"""Is each statement relevant to the input?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt, check_one_verdict_each


@dataclass(frozen=True, kw_only=True)
class JudgeStatements(Prompt[Decisions]):
    """Ask for yes (relevant), no (irrelevant) or idk (supporting) on each statement."""

    answer = Decisions
    instruction = """\
Decide for each statement whether it helps to answer the input; whether it is true does not matter.
yes: it answers the input or a part of it, or says honestly that the answer is not known.
no: it is off the topic, or about another thing than was asked.
idk: it does not answer, but supports or qualifies the answer."""

    input: str
    statements: tuple[str, ...]

    def check(self, answer: Decisions) -> str | None:
        """Demand one verdict for each statement."""
        return check_one_verdict_each(len(answer.verdicts), len(self.statements), "statement")
