"""Prompt alignment: does the actual output follow your instructions?

    score = instructions that are followed / all instructions

A low score blames the generator, or a prompt that asks too much at once. Source: DeepEval, prompt alignment.
"""

from collections.abc import Sequence

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.errors import BadOption
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.score import findings, list_examples, share, verdict_dicts
from ragstone.prompts import JudgeInstructions
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict


class PromptAlignment(Metric):
    """Does the actual output follow your instructions? One judge call.

    Attributes:
        instructions: the instructions of the system, a list with one instruction per item.
    """

    needs = ("input", "actual_output")
    prompts = (JudgeInstructions,)

    instructions: Sequence[str]

    def __post_init__(self) -> None:
        """Reject an empty list, which every output would follow."""
        super().__post_init__()
        if isinstance(self.instructions, str) or not all(text.strip() for text in self.instructions):
            raise BadOption(f"{self.title}: instructions={self.instructions!r}: write a list of texts")
        if not self.instructions:
            raise BadOption(f"{self.title} has no instructions: write instructions=['Answer in French.', …]")
        object.__setattr__(self, "instructions", tuple(self.instructions))

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask of each instruction whether it is followed."""
        instructions = tuple(self.instructions)
        prompt = JudgeInstructions(
            instructions=instructions, input=case.input, actual_output=case.text("actual_output")
        )
        return self.score((await ctx.ask(prompt)).on(instructions))

    @bounded()
    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts on the instructions; there must be one. Pure."""
        broken = [verdict for verdict in verdicts if verdict.verdict != "yes"]
        reason = f"{len(verdicts) - len(broken)} of {len(verdicts)} instructions are followed."
        value = share(verdicts, frozenset({"yes"}))
        return Score(
            value,
            reason + list_examples("Broken", broken),
            {"verdicts": verdict_dicts(verdicts)},
            findings(verdicts),
        )
