"""Listens to a run and remembers how it went, though not what came of it."""

from time import perf_counter

from ragstone.event import BatchProgress, Event, RowRejected, RunFinished, RunStarted
from ragstone.run import Run


class RunProgress:
    """How a run went.

    Attributes:
        run: the run, None before it begins.
        rejected: rows of the dataset that could not be read.
        complete: whether it came to its end.
        why: why it did not, where that is known.
        batches: vendors' names of batches that are under way.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.run: Run | None = None
        self.rejected: list[str] = []
        self.complete = False
        self.why = ""
        self.batches: dict[str, None] = {}
        self._start = perf_counter()
        self._seconds = 0.0

    def __call__(self, event: Event) -> None:
        """Take in an event."""
        match event:
            case RunStarted(run=run):
                self.run, self._start = run, perf_counter()
            case BatchProgress(batch=batch, ended=ended):
                self.batches[batch] = None
                if ended:
                    del self.batches[batch]
            case RowRejected(message=message):
                self.rejected.append(message)
            case RunFinished(complete=complete, why=why):
                self.complete, self.why, self._seconds = complete, why, perf_counter() - self._start
            case _:
                pass

    @property
    def seconds(self) -> float:
        """Wall time of the run, so far where it goes on."""
        return self._seconds or perf_counter() - self._start
