"""Was each passage useful for arriving at the expected output?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt, check_one_verdict_each


@dataclass(frozen=True, kw_only=True)
class JudgeUsefulness(Prompt[Decisions]):
    """Ask for yes (useful) or no on each passage, in rank order."""

    answer = Decisions
    instruction = """\
Decide for each passage, taken alone, whether it is useful for arriving at the expected output from the input.
yes: it states something that the expected output says or needs, even a part.
no: it does not, though it may share the topic or some words; an empty passage is no."""

    passages: tuple[str, ...]
    input: str
    expected_output: str

    def check(self, answer: Decisions) -> str | None:
        """Demand one verdict for each passage."""
        return check_one_verdict_each(len(answer.verdicts), len(self.passages), "passage")
