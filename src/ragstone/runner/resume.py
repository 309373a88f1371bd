"""The results and answers of an interrupted run, for the run that continues it."""

from collections.abc import Callable

from ragstone.case import TestCase
from ragstone.engine.exchange import recall_nothing
from ragstone.result import Result

ATTEMPTS = "attempts"  # metadata key of a result that was measured again: how many attempts there were


class ResumeState:
    """The results and answers of the run so far; this class is that of a new run, which has none.

    Attributes:
        spent: US dollars spent so far.
        recall: returns the stored reply to the prompt of a key, None where there is none.
    """

    spent: float = 0.0
    recall: Callable[[str], str | None] = staticmethod(recall_nothing)

    def has(self, case_index: int, metric_index: int, case: TestCase) -> bool:  # noqa: ARG002
        """Return whether there is a result already.

        Raises:
            UsageError: the test case at that index was another one.
        """
        return False

    def failures(self, case_index: int, metric_index: int) -> int:  # noqa: ARG002
        """Return the number of failed attempts of a measurement that is to be retried."""
        return 0


NEW_RUN = ResumeState()  # the state of a run that resumes none


def with_attempts(result: Result, failures: int) -> Result:
    """Return a result; after earlier failures its metadata says how many attempts there were."""
    if not failures:
        return result
    return result.model_copy(update={"metadata": {**result.metadata, ATTEMPTS: failures + 1}})
