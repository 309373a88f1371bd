"""Are the arguments of each tool call right?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt, check_one_verdict_each


@dataclass(frozen=True, kw_only=True)
class JudgeArguments(Prompt[Decisions]):
    """Ask for yes or no on each call."""

    answer = Decisions
    instruction = """\
Decide for each tool call whether its arguments are right for the input, given what earlier calls returned.
yes: they are complete, well-formed and follow from the input or from earlier outputs.
no: one is missing, made up, wrong, or in the wrong place or unit. Which tool was called does not matter."""

    tool_calls: tuple[str, ...]
    input: str

    def check(self, answer: Decisions) -> str | None:
        """Demand one verdict for each call."""
        return check_one_verdict_each(len(answer.verdicts), len(self.tool_calls), "tool call")
