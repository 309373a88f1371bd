"""State of an interrupted run: results that need not be measured again, answers that need not be requested again."""

from array import array
from collections.abc import Iterator

from sqlalchemy import ColumnElement, Engine, and_, func, select, true

from ragstone.case import TestCase
from ragstone.errors import UsageError
from ragstone.result import Result
from ragstone.runner.resume import ATTEMPTS, ResumeState
from ragstone.store.schema.tables import ANSWERS, CASES, EXCHANGES, RESULTS
from ragstone.store.write.rows import case_row

_ROWS_PER_FETCH = 5000
_PAGE_SIZE = 500


class StoredResumeState(ResumeState):
    """The results and answers of one run, in little memory: a byte per result and eight per test case.

    Attributes:
        count: number of results.
        spent: US dollars spent on answers.
    """

    def __init__(self, engine: Engine, run: int, metrics: int, *, retry_failed: bool = False) -> None:
        """Read the results and answers of the run of that number, with `metrics` metrics.

        With `retry_failed`, error results and those of questions that the application failed to answer do not count.
        """
        self._engine = engine
        self._run = run
        unanswered = select(ANSWERS.c.case_index).where(ANSWERS.c.run == run, ANSWERS.c.failed)
        self._status_condition = (
            and_(RESULTS.c.status != "not_measured", RESULTS.c.case_index.not_in(unanswered))
            if retry_failed
            else true()
        )
        self._failures = self._read_failures() if retry_failed else {}
        self._done: list[bytearray] = [bytearray() for _ in range(metrics)]
        self._fingerprints = array("Q")
        self._last_checked = (-1, 0)
        self.count = 0
        self._read_results()
        self.recall = self._read_answers(metrics).get
        self.spent = self._read_cost()

    def has(self, case_index: int, metric_index: int, case: TestCase) -> bool:
        """Return whether there is a result. Raises UsageError: the test case at that index was another one."""
        done = self._done[metric_index]
        if case_index >= len(done) or not done[case_index]:
            return False
        if self._last_checked[0] != case_index:
            self._last_checked = (case_index, _fingerprint(case_row(case)["key"]))
        if self._last_checked[1] != self._fingerprints[case_index]:
            raise UsageError(
                f"Test case {case_index + 1} of the dataset ({case.name or case.id}) is not the one that the run has "
                "measured: resume it with the dataset it was started with, or start a new run."
            )
        return True

    def failures(self, case_index: int, metric_index: int) -> int:
        """Return how often a measurement that is to be repeated has failed."""
        return self._failures.get((case_index, metric_index), 0)

    def _read_results(self) -> None:
        columns = (RESULTS.c.case_index, RESULTS.c.metric_index, RESULTS.c.case_key)
        query = select(*columns).where(self._counted_results).execution_options(yield_per=_ROWS_PER_FETCH)
        with self._engine.connect() as connection:
            for case_index, metric_index, case_key in connection.execute(query):
                _mark(self._done[int(metric_index)], case_index)
                self._fingerprints.extend([0] * max(0, case_index + 1 - len(self._fingerprints)))
                self._fingerprints[case_index] = _fingerprint(case_key)
                self.count += 1

    @property
    def _counted_results(self) -> ColumnElement[bool]:
        return and_(RESULTS.c.run == self._run, self._status_condition)

    def _read_failures(self) -> dict[tuple[int, int], int]:
        columns = (RESULTS.c.case_index, RESULTS.c.metric_index, RESULTS.c.body)
        query = select(*columns).where(RESULTS.c.run == self._run, RESULTS.c.status == "not_measured")
        with self._engine.connect() as connection:
            return {
                (case_index, metric_index): Result.model_validate_json(body).metadata.get(ATTEMPTS, 1)
                for case_index, metric_index, body in connection.execute(
                    query.execution_options(yield_per=_ROWS_PER_FETCH)
                )
            }

    def _read_answers(self, metrics: int) -> dict[str, str]:
        done = (
            select(RESULTS.c.case_index)
            .where(self._counted_results)
            .group_by(RESULTS.c.case_index)
            .having(func.count() >= metrics)
        )
        c = EXCHANGES.c
        query = select(c.key, c.body).where(c.run == self._run, c.case_index.not_in(done))
        with self._engine.connect() as connection:
            return {row.key: row.body for row in connection.execute(query)}

    def _read_cost(self) -> float:
        c = EXCHANGES.c
        query = select(func.sum(c.cost)).where(c.run == self._run, c.recorded.is_(False))
        with self._engine.connect() as connection:
            return float(connection.execute(query).scalar() or 0.0)


def _mark(places: bytearray, place: int) -> None:
    places.extend(bytes(max(0, place + 1 - len(places))))
    places[place] = 1


def _fingerprint(key: str) -> int:
    return int(key[:16], 16)


class StoredAnswers:
    """The test cases that the application of a run has answered, or failed to answer, in input order.

    They are read page by page: ten thousand take no more memory than five hundred.
    """

    def __init__(self, engine: Engine, run: int, *, retry_failed: bool = False) -> None:
        """Read which questions of the run of that number are answered; with `retry_failed`, failures do not count."""
        self._engine = engine
        self._run = run
        query = select(ANSWERS.c.case_index).where(ANSWERS.c.run == run)
        if retry_failed:
            query = query.where(ANSWERS.c.failed.is_(False))
        self._places = bytearray()
        with engine.connect() as connection:
            for place in connection.execute(query.execution_options(yield_per=_PAGE_SIZE)).scalars():
                _mark(self._places, place)

    def __len__(self) -> int:
        """Return the number of answered questions."""
        return self._places.count(1)

    def __contains__(self, case_index: object) -> bool:
        """Return whether the question at a place is answered."""
        return (
            isinstance(case_index, int) and case_index < len(self._places) and bool(self._places[case_index])
        )

    def __iter__(self) -> Iterator[TestCase]:
        """Yield the test cases, in input order."""
        c, last = ANSWERS.c, -1
        joined = select(c.case_index, CASES.c.body).join(CASES, CASES.c.key == c.case_key)
        query = joined.where(c.run == self._run)
        while True:
            page = query.where(c.case_index > last).order_by(c.case_index).limit(_PAGE_SIZE)
            with self._engine.connect() as connection:
                rows = connection.execute(page).all()
            if not rows:
                return
            yield from (TestCase.model_validate_json(body) for _, body in rows)
            last = rows[-1][0]
