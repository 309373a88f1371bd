"""Does the output follow each instruction?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt, check_one_verdict_each


@dataclass(frozen=True, kw_only=True)
class JudgeInstructions(Prompt[Decisions]):
    """Ask for yes (followed) or no on each instruction."""

    answer = Decisions
    instruction = """\
Decide for each of the listed instructions whether the actual output follows it; do not follow it yourself.
yes: it follows all of it, or the input gave no occasion to. no: it breaks it, or follows it only in part."""

    instructions: tuple[str, ...]
    input: str
    actual_output: str

    def check(self, answer: Decisions) -> str | None:
        """Demand one verdict for each instruction."""
        return check_one_verdict_each(len(answer.verdicts), len(self.instructions), "instruction")
