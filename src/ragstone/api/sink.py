"""Destinations of the results of a run: a store, or memory."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from ragstone.api._rows import DatasetRows
from ragstone.api.options import StoreOption
from ragstone.case import TestCase
from ragstone.event import Event
from ragstone.providers.batches.log import BatchLog
from ragstone.reports import Collector, Report
from ragstone.run import Run
from ragstone.runner.answering import AnsweredPlaces

if TYPE_CHECKING:
    from ragstone.api._store_sink import StoreSink


class RunSink(Protocol):
    """Receives every event of a run and makes the report."""

    def __call__(self, event: Event) -> None:
        """Receive an event."""
        ...

    async def flush(self) -> None:
        """Wait until everything received so far is durable."""
        ...

    def batch_log(self, run: Run) -> BatchLog | None:
        """Return the log of the run's batches; None if nothing is kept beyond the process."""
        ...

    def use_dataset(self, dataset: DatasetRows) -> None:
        """Keep a fingerprint of the dataset, or compare it with that of the run to be resumed."""
        ...

    def answered(self) -> AnsweredPlaces:
        """Return the places of the questions that the application of a resumed run has answered."""
        ...

    def answers(self) -> Iterable[TestCase]:
        """Return the test cases that the run's application has answered, or failed to answer, in input order."""
        ...

    def exam_of(self, judge: str) -> str | None:
        """Return what the last exam of the judge showed, in a sentence; None where none is kept."""
        ...

    @property
    def run(self) -> Run | None:
        """The run, None before it starts."""
        ...

    @property
    def batches(self) -> tuple[str, ...]:
        """The vendor's ids of the batches in progress."""
        ...

    def report(self) -> Report:
        """Return the report on everything received so far."""
        ...


def open_sink(store: StoreOption, *, resumed: bool) -> "Collector | StoreSink":
    """Return the sink of a run: a store if one is named or a run is resumed, else memory."""
    if not resumed and (store is None or store is False):
        return Collector()
    from ragstone.api._store_sink import StoreSink  # noqa: PLC0415  (a run without a store needs no database)

    return StoreSink(store)
