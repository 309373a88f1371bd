"""What an interrupted run has done already, as the run that continues it needs to know."""

from typing import Protocol

from ragstone.case import TestCase
from ragstone.judges._exchange import nothing


class Past(Protocol):
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

    def recall(self, key: str) -> str | None:
        """Return the reply, written down, to the prompt of that key; None where it was not answered."""
        ...


class NoPast:
    """A run that begins."""

    spent = 0.0

    def has(self, case_index: int, metric_index: int, case: TestCase) -> bool:
        """Nothing is there yet."""
        del case_index, metric_index, case
        return False

    recall = staticmethod(nothing)
