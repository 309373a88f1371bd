"""State of an interrupted run: results that need not be measured again, answers that need not be requested again."""

from array import array

from sqlalchemy import ColumnElement, Engine, and_, func, select, true

from ragstone.case import TestCase
from ragstone.errors import UsageError
from ragstone.result import Result
from ragstone.runner.resume import ATTEMPTS, ResumeState
from ragstone.store.schema.tables import ANSWERS, EXCHANGES, RESULTS
from ragstone.store.write.rows import case_row

_ROWS_PER_FETCH = 5000


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
        self._done = [bytearray() for _ in range(metrics)]
        self._fingerprints = array("Q")
        self._last_checked = (-1, 0)
        self.count = 0
        self._read_results()
        self.recall = self._read_answers(metrics).get
        self.spent = self._read_cost()

    def has(self, case_index: int, metric_index: int, case: TestCase) -> bool:
        """Return whether there is a result.

        Raises:
            UsageError: the test case at that index was another one.
        """
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
                self._add_result(case_index, metric_index, case_key)

    def _add_result(self, case_index: int, metric_index: int, case_key: str) -> None:
        done = self._done[metric_index]
        done.extend(bytes(max(0, case_index + 1 - len(done))))
        done[case_index] = 1
        self._fingerprints.extend([0] * max(0, case_index + 1 - len(self._fingerprints)))
        self._fingerprints[case_index] = _fingerprint(case_key)
        self.count += 1

    @property
    def _counted_results(self) -> ColumnElement[bool]:
        """The results of the run that count."""
        return and_(RESULTS.c.run == self._run, self._status_condition)

    def _read_failures(self) -> dict[tuple[int, int], int]:
        """Return how often each measurement that ended in an error was tried."""
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
        """Return the answers about unfinished test cases, and those about the whole run."""
        done = (
            select(RESULTS.c.case_index)
            .where(self._counted_results)
            .group_by(RESULTS.c.case_index)
            .having(func.count() >= metrics)
        )
        query = select(EXCHANGES.c.key, EXCHANGES.c.body).where(
            and_(EXCHANGES.c.run == self._run, EXCHANGES.c.case_index.not_in(done))
        )
        with self._engine.connect() as connection:
            return {row.key: row.body for row in connection.execute(query)}

    def _read_cost(self) -> float:
        query = select(func.sum(EXCHANGES.c.cost)).where(
            and_(EXCHANGES.c.run == self._run, EXCHANGES.c.recorded.is_(False))
        )
        with self._engine.connect() as connection:
            return float(connection.execute(query).scalar() or 0.0)


def _fingerprint(key: str) -> int:
    return int(key[:16], 16)
