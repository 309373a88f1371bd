"""Why is a score what it is, in a sentence or two?"""

import re
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
        "Explain to the author of the system in at most two sentences, by the findings above, why {metric} is {score} "
        "on a scale from 0 to 1, where {best} is best. Name what is wrong, or what is right where nothing is wrong."
    )

    reason_words = 60

    findings: tuple[str, ...]
    metric: str = field(metadata=UNRENDERED)
    score: float
    higher_is_better: bool = True

    def task(self) -> str:
        """Name the metric and its score."""
        values = {
            "{metric}": self.metric,
            "{score}": f"{self.score:.2f}",
            "{best}": "1" if self.higher_is_better else "0",
        }
        return re.sub(r"\{(metric|score|best)\}", lambda match: values[match[0]], self.instruction)
