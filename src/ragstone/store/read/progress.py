"""The progress of a run, and whether it is still in progress."""

from dataclasses import dataclass

from ragstone.store.schema.tables import age

SILENT_AFTER = 10.0
"""Seconds without a heartbeat after which a running run is called silent: it was killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The progress of a run.

    Attributes:
        state: running, silent (running, but without a heartbeat for ten seconds), complete or incomplete.
        done: number of results.
        total: number of results at the end; None for a stream.
        seconds: wall time, including all parts of a resumed run.
        serial: number of the last result that was written; `Store.changes` returns the later ones.
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
        """Share that is done, from 0 to 1; None if the total is unknown."""
        if self.state == "complete":
            return 1.0
        return min(1.0, self.done / self.total) if self.total else None

    @property
    def remaining(self) -> float | None:
        """Estimated remaining seconds at the current rate; None if unknown, or if it does not run."""
        if self.state != "running" or self.total is None or not self.rate:
            return None
        return max(0.0, (self.total - self.done) / self.rate)


def state_of(state: str, heartbeat: str) -> str:
    """Return the state of a run whose last heartbeat was at `heartbeat`."""
    return "silent" if state == "running" and age(heartbeat) > SILENT_AFTER else state
