"""What an interrupted run has done already, as the run that continues it needs to know."""

from typing import Protocol

from ragstone.case import TestCase
from ragstone.engine.exchange import nothing
from ragstone.result import Result

ATTEMPTS = "attempts"
"""Where the metadata of a result that was measured again says how often it was tried."""


class ResumeState(Protocol):
    """What there is to build on."""

    @property
    def spent(self) -> float:
        """US dollars that were spent already."""
        ...

    def has(self, case_index: int, metric_index: int, case: TestCase) -> bool:
        """Tell whether there is a result already.

        Raises:
            UsageError: the test case at that place was another one.
        """
        ...

    def failures(self, case_index: int, metric_index: int) -> int:
        """Return how often a measurement has failed that is to be tried again."""
        ...

    def recall(self, key: str) -> str | None:
        """Return the reply, written down, to the prompt of that key; None where it was not answered."""
        ...


class NoResumeState:
    """A run that begins."""

    spent = 0.0

    def has(self, case_index: int, metric_index: int, case: TestCase) -> bool:
        """Nothing is there yet."""
        del case_index, metric_index, case
        return False

    def failures(self, case_index: int, metric_index: int) -> int:
        """Nothing has failed yet."""
        del case_index, metric_index
        return 0

    recall = staticmethod(nothing)


def with_attempts(result: Result, failures: int) -> Result:
    """Return a result; one of a measurement that failed before says in its metadata how often it was tried."""
    if not failures:
        return result
    return result.model_copy(update={"metadata": {**result.metadata, ATTEMPTS: failures + 1}})
