"""By which rules do people decide, where they see answers otherwise than a judge?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Answer, Texts
from ragstone.prompts.base.prompt import Prompt
from ragstone.prompts.base.schema import AnswerBounds

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
