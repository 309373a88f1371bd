"""Why is a score what it is, and by which rules do people decide otherwise than a judge?"""

from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Answer, Text, Texts
from ragstone.prompts.base.prompt import UNRENDERED, Prompt, with_values
from ragstone.prompts.base.schema import AnswerBounds


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
        best = "1" if self.higher_is_better else "0"
        return with_values(
            self.instruction, {"metric": self.metric, "score": f"{self.score:.2f}", "best": best}
        )


MOST = 5
"""Rules that are asked for at most."""


class DecisionRules(Answer):
    """Rules by which people decide."""

    rules: Texts


@dataclass(frozen=True, kw_only=True)
class WriteRules(Prompt[DecisionRules]):
    """Ask for the rules behind people's notes on answers that a judge decided otherwise."""

    answer = DecisionRules
    instruction = f"""\
People and a judge decided differently on the answers above, and people noted why. Write 1 to {MOST} rules by which \
these people decide, for a judge of other answers. A rule is one sentence of at most 25 words that says what makes an \
answer pass or fail. It holds for any answer: no names, numbers or quotes of single cases. Write only what several \
notes, or one plain note, say; add no rule of your own. A rule: "An answer that leaves out a condition fails, even if \
all that it says is true."
"""

    disagreements: tuple[str, ...]

    def check(self, answer: DecisionRules) -> str | None:
        """Demand one rule to five."""
        if not 1 <= len(answer.rules) <= MOST:
            return f"{len(answer.rules)} rules: write 1 to {MOST}."
        return None

    def bounds(self) -> AnswerBounds:
        """Allow one rule to five."""
        return AnswerBounds(lists={"rules": (1, MOST)})
