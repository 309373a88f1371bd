r"""Pattern match: does the actual output match a regular expression? No judge.

    score = 1 where the whole trimmed output matches the regular expression, else 0

Source: DeepEval, pattern match.
"""

import re

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.errors import BadOption
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.shared.regex import fullmatch
from ragstone.score import Score


class PatternMatch(Metric):
    r"""Does the actual output match a regular expression? No judge call.

    Attributes:
        pattern: a Python regular expression; it must match the whole output, so write `.*` for parts that may
            be any text.
        ignore_case: whether to ignore case.
    """

    needs = ("actual_output",)

    threshold: float = 1.0
    pattern: str
    ignore_case: bool = False

    def __post_init__(self) -> None:
        """Reject an invalid regular expression."""
        super().__post_init__()
        try:
            self._compiled()
        except re.error as error:
            raise BadOption(
                f"{self.title}: pattern={self.pattern!r} is not a regular expression: {error}"
            ) from None

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Match the output; a pattern that may take long is matched in a process that can be stopped."""
        return self.score(fits=await fullmatch(self._compiled(), case.text("actual_output").strip()))

    def score(self, *, fits: bool) -> Score:
        """Score a match. Pure."""
        reason = f"The actual output {'matches' if fits else 'does not match'} {self.pattern!r}."
        return Score(1.0 if fits else 0.0, reason, {"pattern": self.pattern, "ignore_case": self.ignore_case})

    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, re.IGNORECASE if self.ignore_case else 0)
