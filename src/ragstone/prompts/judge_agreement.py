"""Does the output agree with each context?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt, check_one_verdict_each


@dataclass(frozen=True, kw_only=True)
class JudgeAgreement(Prompt[Decisions]):
    """Ask for yes (agrees) or no (contradicts) on each context."""

    answer = Decisions
    instruction = """\
Decide for each context, taken alone, whether the actual output agrees with it.
no: something the output says contradicts it: another number, date, name, negation, condition or relation.
yes: nothing does; that one says more than the other, or speaks of something else, is no contradiction."""

    contexts: tuple[str, ...]
    actual_output: str

    def check(self, answer: Decisions) -> str | None:
        """Demand one verdict for each context."""
        return check_one_verdict_each(len(answer.verdicts), len(self.contexts), "context")
