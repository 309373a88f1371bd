"""The results and answers of an interrupted run, for the run that continues it."""

from typing import Protocol

from ragstone.case import TestCase
from ragstone.engine.exchange import recall_nothing
from ragstone.result import Result

ATTEMPTS = "attempts"
"""Metadata key of a result that was measured again: how many attempts there were."""


class ResumeState(Protocol):
    """The results and answers of the run so far."""

    @property
    def spent(self) -> float:
        """US dollars spent so far."""
        ...

    def has(self, case_index: int, metric_index: int, case: TestCase) -> bool:
        """Return whether there is a result already.

        Raises:
            UsageError: the test case at that index was another one.
        """
        ...

    def failures(self, case_index: int, metric_index: int) -> int:
        """Return the number of failed attempts of a measurement that is to be retried."""
        ...

    def recall(self, key: str) -> str | None:
        """Return the stored reply to the prompt of that key, None where there is none."""
        ...


class NoResumeState:
    """The state of a new run, which has nothing to resume."""

    spent = 0.0

    def has(self, case_index: int, metric_index: int, case: TestCase) -> bool:
        """Return False: there are no results yet."""
        del case_index, metric_index, case
        return False

    def failures(self, case_index: int, metric_index: int) -> int:
        """Return 0: nothing has failed yet."""
        del case_index, metric_index
        return 0

    recall = staticmethod(recall_nothing)


def with_attempts(result: Result, failures: int) -> Result:
    """Return a result; after earlier failures its metadata says how many attempts there were."""
    if not failures:
        return result
    return result.model_copy(update={"metadata": {**result.metadata, ATTEMPTS: failures + 1}})
