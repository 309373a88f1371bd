"""Listeners that collect the progress of a run and its results, in the order of the dataset, from its events."""

from collections.abc import KeysView
from time import perf_counter

from ragstone.case import TestCase
from ragstone.event import (
    Answered,
    AnsweringStarted,
    BatchProgress,
    Event,
    MeasurementFinished,
    RowRejected,
    RunFinished,
    RunStarted,
)
from ragstone.findings.report import Report
from ragstone.result import NO_USAGE, Result
from ragstone.run import Run


class RunProgress:
    """The progress of a run, without its results."""

    def __init__(self) -> None:
        self.run: Run | None = None  # None before it starts
        self.rejected: list[str] = []  # rows of the dataset that could not be read
        self.complete = False  # whether the run finished
        self.why = ""  # the reason why it did not, if known
        self.unfinished_usage = NO_USAGE  # of measurements that were given up
        self.unfinished_cost: float | None = 0.0  # their cost in US dollars; None if unknown
        self.batches: dict[str, None] = {}  # the vendor's ids of the batches in progress
        self._start = perf_counter()
        self._seconds = 0.0

    def __call__(self, event: Event) -> None:
        """Receive an event."""
        match event:
            case AnsweringStarted(run=run):
                self.run, self._start = run, perf_counter()
            case RunStarted(run=run):
                self._start = self._start if self.run is not None else perf_counter()
                self.run = run
            case BatchProgress(batch=batch, ended=ended):
                self.batches[batch] = None
                if ended:
                    del self.batches[batch]
            case RowRejected(message=message):
                self.rejected.append(message)
            case RunFinished(complete=complete, why=why):
                self.complete, self.why, self._seconds = complete, why, perf_counter() - self._start
                self.unfinished_usage, self.unfinished_cost = event.unfinished_usage, event.unfinished_cost
            case _:
                pass

    @property
    def seconds(self) -> float:
        """Wall time of the run; up to now while it is running."""
        return self._seconds or perf_counter() - self._start


class Collector:
    """Collects the results of a run in memory, and makes its report. Results may arrive in any order."""

    def __init__(self) -> None:
        self._progress = RunProgress()
        self._cases: dict[int, TestCase] = {}
        self._results: dict[int, dict[int, Result]] = {}
        self._answers: dict[int, TestCase] = {}

    def __call__(self, event: Event) -> None:
        """Receive an event."""
        if isinstance(event, Answered):
            self._answers[event.case_index] = event.case
        elif isinstance(event, MeasurementFinished):
            self._cases[event.case_index] = event.case
            self._results.setdefault(event.case_index, {})[event.metric_index] = event.result
        else:
            self._progress(event)

    async def flush(self) -> None:
        """Do nothing: results in memory need not be written."""

    def use_dataset(self, dataset: object, *, grows: bool = False) -> None:
        """Keep no fingerprint: a run without a store cannot be resumed."""

    def answered(self) -> KeysView[int]:
        """Return the places of the questions that are answered."""
        return self._answers.keys()

    def answers(self) -> list[TestCase]:
        """Return the answered test cases."""
        return [self._answers[index] for index in sorted(self._answers)]

    def batch_log(self, run: Run) -> None:
        """Return no batch log: batches are not remembered beyond the process."""
        del run

    def exam_of(self, judge: str) -> None:
        """Return None: exams are kept in a store."""
        del judge

    @property
    def run(self) -> Run | None:
        """The run, None before it starts."""
        return self._progress.run

    @property
    def batches(self) -> tuple[str, ...]:
        """No batches: they need a store."""
        return ()

    def report(self) -> Report:
        """Return the report on the results so far."""
        progress = self._progress
        if progress.run is None:
            raise RuntimeError("no run has started")
        indices = sorted(self._cases)
        return Report(
            run=progress.run,
            cases=[self._cases[index] for index in indices],
            results=[[result for _, result in sorted(self._results[index].items())] for index in indices],
            rejected=progress.rejected,
            complete=progress.complete,
            stopped=progress.why,
            unfinished_usage=progress.unfinished_usage,
            unfinished_cost=progress.unfinished_cost,
            seconds=progress.seconds,
        )
