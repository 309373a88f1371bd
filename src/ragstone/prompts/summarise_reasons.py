"""Why is a score what it is, in a sentence or two?"""

from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Answer, Text
from ragstone.prompts.base.prompt import UNRENDERED, Prompt


class Reason(Answer):
    """An explanation for a reader."""

    reason: Text


@dataclass(frozen=True, kw_only=True)
class SummariseReasons(Prompt[Reason]):
    """Ask for the verdicts' reasons as prose."""

    answer = Reason
    instruction = (
        "Explain to the author of the system in at most two sentences why {metric} is {score:.2f}, by the findings "
        "below. Name what is wrong, or what is right where nothing is wrong."
    )

    findings: tuple[str, ...]
    metric: str = field(metadata=UNRENDERED)
    score: float

    def task(self) -> str:
        """Name the metric and its score."""
        return self.instruction.format(metric=self.metric, score=self.score)
