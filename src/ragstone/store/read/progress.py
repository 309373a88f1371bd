"""How far a run is, and whether it still goes on."""

from dataclasses import dataclass

from ragstone.store.schema.timestamps import age

SILENT_AFTER = 10.0
"""Seconds without a sign of life after which a run that says `running` is called silent: it was killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is.

    Attributes:
        state: running, silent (it says that it runs, but nothing was heard of it for ten seconds), complete or
            incomplete.
        done: results there are.
        total: results there will be; None where the dataset is a stream.
        seconds: wall time, all parts of a resumed run together.
        serial: number of the last result that was written; `Store.changes` tells what came after it.
    """

    state: str
    done: int
    total: int | None
    seconds: float
    serial: int

    @property
    def rate(self) -> float:
        """Results a second; 0 before the first."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def share(self) -> float | None:
        """How much is done, from 0 to 1; None where the total is not known."""
        if self.state == "complete":
            return 1.0
        return min(1.0, self.done / self.total) if self.total else None

    @property
    def remaining(self) -> float | None:
        """Seconds it will still take at the rate until now; None where nobody can tell, or where it does not run."""
        if self.state != "running" or self.total is None or not self.rate:
            return None
        return max(0.0, (self.total - self.done) / self.rate)


def state_of(state: str, heard: str) -> str:
    """Return the state of a run that was heard of for the last time at `heard`."""
    return "silent" if state == "running" and age(heard) > SILENT_AFTER else state
