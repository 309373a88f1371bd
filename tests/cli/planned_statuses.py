"""A metric whose status is written in the answer, so that a run has as many of each status as a test wants."""

from ragstone import TestCase
from ragstone.errors import NotApplicable
from ragstone.metrics import Metric, Score
from ragstone.status import Status

COUNTS: dict[Status, int] = {"passed": 11, "missed": 7, "undecided": 5, "not_measured": 3, "skipped": 2}
"""All different, so that no count can be taken for another."""
ANSWERS = [status for status, count in COUNTS.items() for _ in range(count)]


class PlannedStatus(Metric):
    """Scores 1 or 0, decides nothing, ends in an error, or does not apply, as the answer says."""

    needs = ("actual_output",)

    def assess(self, case: TestCase, _: object) -> Score:
        status = case.actual_output
        if status == "not_measured":
            raise ValueError("no score")
        if status == "skipped":
            raise NotApplicable("nothing to measure")
        if status == "undecided":
            return Score(None, "cannot tell")
        return Score(float(status == "passed"), "as planned")
