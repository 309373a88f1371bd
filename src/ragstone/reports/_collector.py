"""Listens to a run and puts its results, which come in any order, back into the order of the dataset."""

from time import perf_counter

from ragstone.case import TestCase
from ragstone.event import Event, Measured, Rejected, RunFinished, RunStarted
from ragstone.reports._report import Report
from ragstone.result import Result
from ragstone.run import Run


class Collector:
    """Holds the results of a run until the report is made."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._run: Run | None = None
        self._start = perf_counter()
        self._seconds = 0.0
        self._complete = False
        self._rejected: list[str] = []
        self._cases: dict[int, TestCase] = {}
        self._results: dict[int, dict[int, Result]] = {}

    def __call__(self, event: Event) -> None:
        """Take in an event."""
        match event:
            case RunStarted(run=run):
                self._run, self._start = run, perf_counter()
            case Measured(case_index=case_index, metric_index=metric_index, case=case, result=result):
                self._cases[case_index] = case
                self._results.setdefault(case_index, {})[metric_index] = result
            case Rejected(message=message):
                self._rejected.append(message)
            case RunFinished(complete=complete):
                self._complete, self._seconds = complete, perf_counter() - self._start
            case _:
                pass

    @property
    def begun(self) -> bool:
        """Whether a run has started, so that there is something to report on."""
        return self._run is not None

    def report(self) -> Report:
        """Return the report on what was measured so far."""
        if self._run is None:
            msg = "no run has started"
            raise RuntimeError(msg)
        indices = sorted(self._cases)
        return Report(
            run=self._run,
            cases=[self._cases[index] for index in indices],
            results=[[result for _, result in sorted(self._results[index].items())] for index in indices],
            rejected=self._rejected,
            complete=self._complete,
            seconds=self._seconds or perf_counter() - self._start,
        )
