"""Write-ahead log of submitted batches, so that a run that is resumed does not submit (and pay) twice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol


@dataclass(frozen=True, slots=True)
class BatchLogEntry:
    """One batch of a run: its number from 1, the hashes (`keys`) of its requests, and when it was submitted.

    `batch` is the vendor's id; None if the process ended before receiving it.
    """

    number: int
    vendor: str
    model: str
    where: str
    keys: Sequence[str]
    since: float
    batch: str | None = None


class BatchLog(Protocol):
    """The batches of one run. A change is durable when the method returns."""

    def entries(self) -> Sequence[BatchLogEntry]:
        """Return the batches of the run, in order."""
        ...

    def known(self) -> frozenset[str]:
        """Return the vendors' ids of all batches, including those of other runs."""
        ...

    def intend(self, entry: BatchLogEntry) -> None:
        """Record that a batch is about to be submitted."""
        ...

    def submitted(self, number: int, batch: str) -> None:
        """Record the vendor's id of a batch."""
        ...

    def forget(self, number: int) -> None:
        """Remove a batch that was never accepted."""
        ...


class InMemoryBatchLog:
    """A batch log in memory."""

    def __init__(self) -> None:
        self._entries: dict[int, BatchLogEntry] = {}

    def entries(self) -> Sequence[BatchLogEntry]:
        """Return the batches of the run, in order."""
        return [self._entries[number] for number in sorted(self._entries)]

    def known(self) -> frozenset[str]:
        """Return the vendors' ids of the batches."""
        return frozenset(entry.batch for entry in self._entries.values() if entry.batch)

    def intend(self, entry: BatchLogEntry) -> None:
        """Record that a batch is about to be submitted."""
        self._entries[entry.number] = entry

    def submitted(self, number: int, batch: str) -> None:
        """Record the vendor's id of a batch."""
        self._entries[number] = replace(self._entries[number], batch=batch)

    def forget(self, number: int) -> None:
        """Remove a batch that was never accepted."""
        del self._entries[number]
