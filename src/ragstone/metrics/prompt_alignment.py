"""Prompt alignment: does the actual output follow your instructions?

    score = instructions that are followed / all instructions

A low score blames the generator, or a prompt that asks too much at once. Source: DeepEval, prompt alignment.
"""

from collections.abc import Sequence

from ragstone.errors import BadOption
from ragstone.metrics.base.metric import MetricContext, Score, TestCase
from ragstone.metrics.shared.verdict_share import VerdictShareMetric
from ragstone.prompts import JudgeInstructions


class PromptAlignment(VerdictShareMetric):
    """Does the actual output follow your instructions? One judge call.

    Attributes:
        instructions: the instructions of the system, a list with one instruction per item.
    """

    needs = ("input", "actual_output")
    prompts = (JudgeInstructions,)
    reason, examples = "{} of {} instructions are followed.", "Broken"

    instructions: Sequence[str]

    def __post_init__(self) -> None:
        """Reject an empty list, which every output would follow."""
        super().__post_init__()
        if not all(text.strip() for text in self.instructions):
            raise BadOption(f"{self.title}: instructions={self.instructions!r}: write a list of texts")
        if not self.instructions:
            raise BadOption(f"{self.title} has no instructions: write instructions=['Answer in French.', …]")

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask of each instruction whether it is followed."""
        instructions = tuple(self.instructions)
        prompt = JudgeInstructions(
            instructions=instructions, input=case.input, actual_output=case.text("actual_output")
        )
        return self.score((await ctx.ask(prompt)).on(instructions))
