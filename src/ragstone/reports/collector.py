"""Listens to a run and puts its results, which come in any order, back into the order of the dataset."""

from ragstone.case import TestCase
from ragstone.event import Event, MeasurementFinished
from ragstone.reports.report import Report
from ragstone.reports.run_progress import RunProgress
from ragstone.result import Result
from ragstone.run import Run


class Collector:
    """Holds the results of a run until the report is made."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._course = RunProgress()
        self._cases: dict[int, TestCase] = {}
        self._results: dict[int, dict[int, Result]] = {}

    def __call__(self, event: Event) -> None:
        """Take in an event."""
        if isinstance(event, MeasurementFinished):
            self._cases[event.case_index] = event.case
            self._results.setdefault(event.case_index, {})[event.metric_index] = event.result
        else:
            self._course(event)

    async def kept(self) -> None:
        """Keep nothing that outlives the process: there is nothing to wait for."""

    def batch_log(self, run: Run) -> None:
        """Remember no batches either."""
        del run

    @property
    def begun(self) -> bool:
        """Whether a run has started, so that there is something to report on."""
        return self._course.run is not None

    def report(self) -> Report:
        """Return the report on what was measured so far."""
        course = self._course
        if course.run is None:
            msg = "no run has started"
            raise RuntimeError(msg)
        indices = sorted(self._cases)
        return Report(
            run=course.run,
            cases=[self._cases[index] for index in indices],
            results=[[result for _, result in sorted(self._results[index].items())] for index in indices],
            rejected=course.rejected,
            complete=course.complete,
            stopped=course.why,
            seconds=course.seconds,
        )
