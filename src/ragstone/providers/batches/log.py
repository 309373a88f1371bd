"""What was submitted, written down before it is: a process that dies must not let the next one pay again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol


@dataclass(frozen=True, slots=True)
class BatchLogEntry:
    """One batch of a run.

    Attributes:
        number: which of the run's batches it is, from 1.
        vendor: who was to take it.
        model: who was to answer.
        where: address of the model.
        keys: of its requests: hashes over all that was asked.
        since: when it was about to be submitted, in seconds since 1970.
        batch: the vendor's name for it; None where the process died before it was told.
    """

    number: int
    vendor: str
    model: str
    where: str
    keys: Sequence[str]
    since: float
    batch: str | None = None


class BatchLog(Protocol):
    """Keeps the entries of one run. What a method was told is kept when it returns."""

    def entries(self) -> Sequence[BatchLogEntry]:
        """Return the batches of the run, in order."""
        ...

    def known(self) -> frozenset[str]:
        """Return the vendors' names of all batches, those of other runs included."""
        ...

    def intend(self, entry: BatchLogEntry) -> None:
        """Note that a batch is about to be submitted."""
        ...

    def submitted(self, number: int, batch: str) -> None:
        """Note the vendor's name for a batch."""
        ...

    def forget(self, number: int) -> None:
        """Strike out a batch that was never taken."""
        ...


class InMemoryBatchLog:
    """A ledger that lasts as long as the process."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._entries: dict[int, BatchLogEntry] = {}

    def entries(self) -> Sequence[BatchLogEntry]:
        """Return the batches of the run, in order."""
        return [self._entries[number] for number in sorted(self._entries)]

    def known(self) -> frozenset[str]:
        """Return the vendor's names of the batches."""
        return frozenset(entry.batch for entry in self._entries.values() if entry.batch)

    def intend(self, entry: BatchLogEntry) -> None:
        """Note that a batch is about to be submitted."""
        self._entries[entry.number] = entry

    def submitted(self, number: int, batch: str) -> None:
        """Note the vendor's name for a batch."""
        self._entries[number] = replace(self._entries[number], batch=batch)

    def forget(self, number: int) -> None:
        """Strike out a batch that was never taken."""
        del self._entries[number]
