"""Errors: did the application fail to answer? Lower is better. No judge.

    score = 1 where the application failed, else 0

The application failed where `metadata.application_error`, of `ragstone run --app`, or `metadata.error`, of a trace,
says so. The mean over test cases is the error rate. Source: own definition.
"""

from ragstone.case import APPLICATION_ERROR, TestCase
from ragstone.metrics.base.metric import Metric, MetricContext, Score


class Errors(Metric):
    """Did the application fail to answer? Lower is better. No judge call."""

    needs = ()
    higher_is_better = False
    measures_application = True

    threshold: float = 0.0

    def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Read the error of the application."""
        return self.score(case.metadata.get(APPLICATION_ERROR) or case.metadata.get("error"))

    def score(self, error: object) -> Score:
        """Score an error; None or an empty one means that there was none. Pure."""
        if not error:
            return Score(0.0, "The application answered.", {"application_error": None})
        return Score(1.0, f"The application failed: {error}", {"application_error": str(error)})
