"""A metric that gives labels, and cases of each label: the output is its label, a question mark is undecided."""

from ragstone import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics import Metric, Score
from ragstone.score import undecided_score

OUTPUTS = ("answered",) * 12 + ("refused",) * 4 + ("?",)


class Outcome(Metric):
    """Labels that neither pass nor miss."""

    needs = ("actual_output",)
    categories = ("answered", "partly", "refused")
    threshold = None

    def assess(self, case: TestCase, ctx: MetricContext) -> Score | str:
        """Return the output."""
        del ctx
        return undecided_score("It is empty.") if case.actual_output == "?" else case.text("actual_output")


class JudgedOutcome(Outcome):
    """Labels of which one passes."""

    threshold = 0.5
    passing = ("answered",)


def outcomes(*outputs: str) -> list[TestCase]:
    """Return a case for each output."""
    return [TestCase(input=f"q{number}", actual_output=text) for number, text in enumerate(outputs)]
