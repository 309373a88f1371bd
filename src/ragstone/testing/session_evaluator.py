"""The bench on which tests have their answers measured: one event loop in a thread for all tests of a session.

A test waits for its own results, but results are asked for in groups: where the cases of a parametrised test are known,
the first of its tests has all of them measured at the same time, and the others find theirs done.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, NamedTuple, Self

from anyio.from_thread import BlockingPortal, start_blocking_portal

from ragstone.api import aevaluate
from ragstone.arguments import plain_arguments
from ragstone.case import TestCase
from ragstone.config import Settings
from ragstone.event import Event, MeasurementFinished
from ragstone.judges import Judge
from ragstone.metrics import Metric
from ragstone.reports import Report
from ragstone.result import Result
from ragstone.testing._judge_registry import JudgeRegistry

PendingResults = dict[Metric, Future[Result]]
"""The results of one test case, by metric."""


class MeasurementRequest(NamedTuple):
    """What a test wants to know about its case.

    Attributes:
        metrics: what to measure, in one run, so that metrics share what they ask.
        judge: who answers.
        repeat: number of the repetition, from 0: repeats share no answers.
        name: of the test that asks, by which a stored run is found.
    """

    metrics: tuple[Metric, ...]
    judge: Judge
    repeat: int = 0
    name: str | None = None


class SessionEvaluator:
    """Measures for tests. Open it, ask, close it; what was asked ahead is kept until then."""

    def __init__(self, settings: Settings | None = None) -> None:
        """Measure as `settings` say."""
        self.settings = settings or Settings()
        self.judges = JudgeRegistry(self.settings)
        self._options = {"progress": False, **plain_arguments(self.settings)}
        for name in (
            "engine",
            "cache",
            "offline",
        ):  # measured in this process, by judges that have their cache
            del self._options[name]
        self._thread: AbstractContextManager[BlockingPortal] | None = None
        self._portal: BlockingPortal | None = None
        self._jobs: list[Future[None]] = []
        self._results: dict[tuple[int, int, TestCase], PendingResults] = {}

    def __enter__(self) -> Self:
        """Return the bench; its event loop starts with the first question."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Cancel what is still being measured for nobody, and end the event loop."""
        for job in self._jobs:
            job.cancel()
        if self._thread is not None:
            self._thread.__exit__(None, None, None)
        self._thread = self._portal = None

    def submit(
        self, case: TestCase, request: MeasurementRequest, upcoming: Callable[[], Sequence[TestCase]] | None
    ) -> PendingResults:
        """Begin to measure one case, and return its results to come.

        Args:
            case: the case.
            question: metrics, judge, repetition.
            ahead: tells which cases later tests will ask the same about: measured meanwhile. None where the judge is
                not to be asked ahead, and its answers are not to be used twice.
        """
        if upcoming is None:
            return self._start([case], request)[0]
        row = self._row(request, case)
        new = tuple(metric for metric in request.metrics if metric not in row or _failed(row[metric]))
        if new:
            others = [other for other in upcoming() if not self._row(request, other).keys() & set(new)]
            cases = [case, *others]
            for asked, futures in zip(cases, self._start(cases, request._replace(metrics=new)), strict=True):
                self._row(request, asked).update(futures)
        return row

    def evaluate(self, data: object, metrics: Any, **options: Any) -> Report:  # noqa: ANN401  (those of `evaluate`)
        """Measure a dataset as `ragstone.evaluate` does, on this event loop."""
        return self._open().call(partial(aevaluate, data, metrics, **{**self._options, **options}))

    def _row(self, request: MeasurementRequest, case: TestCase) -> PendingResults:
        return self._results.setdefault((id(request.judge), request.repeat, case), {})

    def _start(self, cases: Sequence[TestCase], request: MeasurementRequest) -> list[PendingResults]:
        """Have `cases` measured in the background, in one run."""
        rows: list[PendingResults] = [{metric: Future[Result]() for metric in request.metrics} for _ in cases]
        self._jobs = [job for job in self._jobs if not job.done()]
        self._jobs.append(
            self._open().start_task_soon(partial(_measure, cases, request, rows, self._options))
        )
        return rows

    def _open(self) -> BlockingPortal:
        if self._portal is None:
            self._thread = start_blocking_portal(name="ragstone")
            self._portal = self._thread.__enter__()
        return self._portal


async def _measure(
    cases: Sequence[TestCase],
    request: MeasurementRequest,
    rows: Sequence[PendingResults],
    options: Mapping[str, Any],
) -> None:
    """Measure `cases`, each result to its future; what ends the run goes to all that have none yet."""
    try:
        await aevaluate(
            cases,
            request.metrics,
            judge=request.judge,
            name=request.name,
            listeners=[_deliver_results(request, rows)],
            **options,
        )
    except BaseException as error:
        for row in rows:
            for future in row.values():
                if not future.done():
                    future.set_exception(error)
        raise


def _deliver_results(request: MeasurementRequest, rows: Sequence[PendingResults]) -> Callable[[Event], None]:
    def listen(event: Event) -> None:
        if isinstance(event, MeasurementFinished):
            rows[event.case_index][request.metrics[event.metric_index]].set_result(event.result)

    return listen


def _failed(future: Future[Result]) -> bool:
    """Tell whether a run failed as a whole, so that it is worth asking again."""
    return future.done() and (future.cancelled() or future.exception() is not None)
