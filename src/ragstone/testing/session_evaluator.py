"""Measures for the tests of a session, on one event loop in a thread.

A test waits for its own results, but cases are measured in groups: the first test of a parametrised function starts the
measurement of all its cases, and the other tests find their results ready.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from anyio.from_thread import BlockingPortal, start_blocking_portal

from ragstone.api import aevaluate
from ragstone.arguments import configured_judge, plain_arguments
from ragstone.case import TestCase
from ragstone.config import Settings
from ragstone.errors import BadOption
from ragstone.event import Event, MeasurementFinished
from ragstone.findings import Report
from ragstone.judges import CachedJudge, Judge, JudgeLike, ScriptedJudge, get_judge
from ragstone.judges.cached import with_cache
from ragstone.metrics import Metric
from ragstone.result import Result

if TYPE_CHECKING:
    from ragstone.testing.session_answers import ApplicationLike, SessionAnswers

PendingResults = dict[Metric, Future[Result]]
"""The results of one test case, by metric."""


class MeasurementRequest(NamedTuple):
    """The measurement that a test requests: its metrics share a run, its repeats (from 0) share no answers."""

    metrics: tuple[Metric, ...]
    judge: Judge
    repeat: int = 0
    name: str | None = None


class SessionEvaluator:
    """Measures test cases for the tests of a session. Results of prefetched cases are kept until it is closed."""

    def __init__(self, settings: Settings | None = None) -> None:
        """Use these settings."""
        self.settings = settings or Settings()
        self.judges = JudgeRegistry(self.settings)
        self._options = {"progress": False, **plain_arguments(self.settings)}
        for name in ("engine", "cache", "offline"):  # in this process, by judges that already have a cache
            del self._options[name]
        self._thread: AbstractContextManager[BlockingPortal] | None = None
        self._portal: BlockingPortal | None = None
        self._jobs: list[Future[None]] = []
        self._results: dict[tuple[int, int, TestCase], PendingResults] = {}
        self._answers: SessionAnswers | None = None

    def __enter__(self) -> Self:
        """Return itself; the event loop starts with the first request."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Cancel pending measurements and stop the event loop."""
        for job in self._jobs:
            job.cancel()
        if self._thread is not None:
            self._thread.__exit__(None, None, None)
        self._thread = self._portal = None

    def submit(
        self, case: TestCase, request: MeasurementRequest, upcoming: Callable[[], Sequence[TestCase]] | None
    ) -> PendingResults:
        """Start to measure one case, and return its pending results.

        `upcoming` returns the cases of later tests with the same request, which are measured too; it is None where the
        judge must not be asked ahead of time.
        """
        if upcoming is None:
            return self._start([case], request)[0]
        row = self._pending(request, case)
        new = tuple(metric for metric in request.metrics if metric not in row or _failed(row[metric]))
        if new:
            others = [other for other in upcoming() if not self._pending(request, other).keys() & set(new)]
            cases = [case, *others]
            for item, futures in zip(cases, self._start(cases, request._replace(metrics=new)), strict=True):
                self._pending(request, item).update(futures)
        return row

    def ask(
        self, application: "ApplicationLike", case: TestCase, upcoming: Callable[[], Sequence[TestCase]]
    ) -> TestCase:
        """Return the test case with the answer of an application; each question is asked once in a session.

        `upcoming` returns the cases of later tests, which are asked too.
        """
        from ragstone.testing.session_answers import SessionAnswers  # noqa: PLC0415  (few tests ask an application)

        if self._answers is None:
            self._answers = SessionAnswers(self._open_portal)
        return self._answers.ask(application, case, upcoming)

    def upcoming(
        self, upcoming_cases: Callable[[Any, Any], Sequence[Any]], case: TestCase, metrics: Sequence[Metric]
    ) -> list[TestCase]:
        """Return the cases that later tests will measure, with their answers where an application gives them."""
        others = self._answers and self._answers.of_upcoming(
            case, lambda question: upcoming_cases(question, ())
        )
        if others is None:
            return list(upcoming_cases(case, metrics))
        return [other for other in others if not any(metric.missing(other) for metric in metrics)]

    def evaluate(self, data: object, metrics: Any, **options: Any) -> Report:  # noqa: ANN401  (those of `evaluate`)
        """Measure a dataset as `ragstone.evaluate` does, on this event loop."""
        return self._open_portal().call(partial(aevaluate, data, metrics, **{**self._options, **options}))

    def _pending(self, request: MeasurementRequest, case: TestCase) -> PendingResults:
        return self._results.setdefault((id(request.judge), request.repeat, case), {})

    def _start(self, cases: Sequence[TestCase], request: MeasurementRequest) -> list[PendingResults]:
        """Measure `cases` in the background, in one run."""
        rows: list[PendingResults] = [{metric: Future[Result]() for metric in request.metrics} for _ in cases]
        self._jobs = [job for job in self._jobs if not job.done()]
        self._jobs.append(
            self._open_portal().start_task_soon(partial(_measure, cases, request, rows, self._options))
        )
        return rows

    def _open_portal(self) -> BlockingPortal:
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
    """Measure `cases` and set each future; an error that ends the run is set on all that are pending."""

    def deliver(event: Event) -> None:
        if isinstance(event, MeasurementFinished):
            rows[event.case_index][request.metrics[event.metric_index]].set_result(event.result)

    named: dict[str, Any] = {"judge": request.judge, "name": request.name, "listeners": [deliver]}
    try:
        await aevaluate(cases, request.metrics, **named, **options)
    except BaseException as error:
        for row in rows:
            for future in row.values():
                if not future.done():
                    future.set_exception(error)
        raise


def _failed(future: Future[Result]) -> bool:
    """Return whether a run failed as a whole, so that the measurement is started again."""
    return future.done() and (future.cancelled() or future.exception() is not None)


class ResolvedJudge(NamedTuple):
    """A judge, and whether it may be asked ahead of time for later tests."""

    judge: Judge
    shareable: bool


class JudgeRegistry:
    """Finds the judge for a test.

    A judge made from a spec is shared by all tests. A judge that a test creates may belong to that test alone, so it is
    not shared until a second test uses the same one, or an equal one. A scripted judge returns its answers in turn and
    is never shared.
    """

    def __init__(self, settings: Settings) -> None:
        """Take the default judge, named judges and the cache from `settings`."""
        self._settings = settings
        self._by_spec: dict[str, Judge] = {}
        self._test_judges: list[tuple[Judge, Judge, object]] = []

    @property
    def default(self) -> Judge:
        """The judge of tests that name none."""
        return self.resolve(None, None).judge

    def resolve(self, wanted: str | JudgeLike | None, test: object) -> ResolvedJudge:
        """Return the judge for a test."""
        wanted = self._settings.judge if wanted is None else wanted
        if isinstance(wanted, str):
            if wanted not in self._by_spec:
                self._by_spec[wanted] = self._cached(configured_judge(wanted, self._settings))
            return ResolvedJudge(self._by_spec[wanted], shareable=True)
        judge = get_judge(wanted)
        if judge in self._by_spec.values():
            return ResolvedJudge(judge, shareable=True)
        if isinstance(judge, ScriptedJudge):
            return ResolvedJudge(judge, shareable=False)
        return self._test_judge(judge, test)

    def _test_judge(self, judge: Judge, test: object) -> ResolvedJudge:
        for registered, resolved, owner in self._test_judges:
            if registered is judge or registered == judge:
                return ResolvedJudge(resolved, shareable=owner is not test)
        resolved = self._cached(judge)
        self._test_judges.append((judge, resolved, test))
        return ResolvedJudge(resolved, shareable=False)

    def _cached(self, judge: Judge) -> Judge:
        return with_cache(judge, self._settings.cache, offline=self._settings.offline)


def without_cache(judge: Judge) -> Judge:
    """Return the judge without its cache: repeats need new answers, not the recorded one."""
    if not isinstance(judge, CachedJudge):
        return judge
    if judge.offline:
        raise BadOption(
            "repeats needs new answers, but offline has only one recorded answer: leave out repeats or offline"
        )
    return judge.judge
