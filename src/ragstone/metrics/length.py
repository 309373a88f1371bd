"""Length: is the answer no longer than its budget? No judge.

    score = 1 where the actual output has at most `budget_words` words, else 0

Words are separated by white space; in Chinese, Japanese and Thai, which write none, count characters instead
(`budget_characters`). Source: own definition.
"""

from ragstone.errors import BadOption
from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.shared.budgets import check_budget, within_budget


class Length(Metric):
    """Is the answer no longer than its budget? No judge call.

    Attributes:
        budget_words: the most words that an answer may have; None with `budget_characters`.
        budget_characters: the most characters, without white space at both ends, that it may have.
    """

    needs = ("actual_output",)

    threshold: float = 1.0
    budget_words: int | None = None
    budget_characters: int | None = None

    def __post_init__(self) -> None:
        """Require one of the two budgets."""
        super().__post_init__()
        given = {name: getattr(self, name) for name in ("budget_words", "budget_characters")}
        given = {name: value for name, value in given.items() if value is not None}
        if len(given) != 1:
            raise BadOption(f"{self.title}: write budget_words=150 or budget_characters=800")
        for name, value in given.items():
            check_budget(self.title, name, value)

    def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Count words or characters."""
        return self.score(case.text("actual_output").strip())

    def score(self, answer: str) -> Score:
        """Score an answer. Pure."""
        if self.budget_words is not None:
            return within_budget(
                len(answer.split()), self.budget_words, "{:,.0f} words", ("words", "budget_words")
            )
        budget = self.budget_characters or 0
        return within_budget(len(answer), budget, "{:,.0f} characters", ("characters", "budget_characters"))
