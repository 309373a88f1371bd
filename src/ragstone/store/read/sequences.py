"""The test cases and results of a stored run, as sequences that are read on access: a million take no memory."""

from collections.abc import Iterator, Sequence
from operator import eq
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

from sqlalchemy import Engine, case, func, select

from ragstone.case import TestCase
from ragstone.errors import NotInStore
from ragstone.result import Result, SlimResult
from ragstone.status import STATUSES, Status
from ragstone.store.schema.tables import CASES, RESULTS, RUN_CASES, RUN_METRICS, RUNS, installed_version

if TYPE_CHECKING:
    from ragstone.store.read.score_table import ScoreTable

T = TypeVar("T")

_PAGE_SIZE = 500
_ROWS_PER_FETCH = 5000


class _StoredSequence(Sequence[T], Generic[T]):
    """One value for each test case that has a result, in input order."""

    def __init__(self, engine: Engine, run: int) -> None:
        self._engine = engine
        self._run = run
        self._length: int | None = None

    def __len__(self) -> int:
        if self._length is None:
            query = select(func.count(func.distinct(RESULTS.c.case_index))).where(RESULTS.c.run == self._run)
            with self._engine.connect() as connection:
                self._length = int(connection.execute(query).scalar_one())
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return [self[position] for position in range(*index.indices(len(self)))]
        position = index + len(self) if index < 0 else index
        if not 0 <= position < len(self):
            raise IndexError(index)
        return self.at(self._case_indices(offset=position, limit=1))[0]  # an interrupted run has gaps

    def __iter__(self) -> Iterator[T]:
        last = -1
        while indices := self._case_indices(after=last, limit=_PAGE_SIZE):
            yield from self._read(indices, RESULTS.c.case_index.between(indices[0], indices[-1])).values()
            last = indices[-1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        items = cast("Sequence[object]", other)
        return len(self) == len(items) and all(map(eq, self, items))

    __hash__ = None  # pyright: ignore[reportAssignmentType]  (as for a list)

    def at(self, indices: Sequence[int]) -> list[T]:
        """Return the values of some test cases by their case index, in the order asked for.

        Raises:
            NotInStore: there is no such test case any more.
        """
        values: dict[int, T] = {}
        for start in range(0, len(indices), _PAGE_SIZE):
            batch = sorted({*indices[start : start + _PAGE_SIZE]} - values.keys())
            values.update(self._read(batch, RESULTS.c.case_index.in_(batch)))
        missing = next((index for index in indices if index not in values), None)
        if missing is not None:
            raise NotInStore(
                f"Test case {missing + 1} is no longer in the store: its run was deleted or changed."
            )
        return [values[index] for index in indices]

    def places(self) -> list[int]:
        """Return the case index of each test case, in input order: they have gaps if a run was interrupted."""
        return self._case_indices()

    def _case_indices(self, *, after: int = -1, offset: int = 0, limit: int | None = None) -> list[int]:
        column = RESULTS.c.case_index
        query = select(column).where(RESULTS.c.run == self._run, column > after).group_by(column)
        with self._engine.connect() as connection:
            rows = connection.execute(query.order_by(column).offset(offset).limit(limit)).scalars()
            return [int(index) for index in rows]

    def _read(self, indices: list[int], where: Any) -> dict[int, T]:  # noqa: ANN401  (a condition)
        """Return the values at some case indices, in their order; `where` selects the rows of just those."""
        raise NotImplementedError


class StoredCases(_StoredSequence[TestCase]):
    """The test cases of a stored run."""

    def belong_to(self, engine: Engine, run: int) -> bool:
        """Return whether these are the test cases of that run."""
        return self._engine is engine and self._run == run

    def beginnings(self, indices: Sequence[int]) -> list[str]:
        """Return the first 500 characters of the questions of some test cases, in the order asked for."""
        texts: dict[int, str] = {}
        c = RUN_CASES.c
        query = select(c.case_index, CASES.c.input).join(CASES, CASES.c.key == c.case_key)
        with self._engine.connect() as connection:
            for start in range(0, len(indices), _PAGE_SIZE):
                in_batch = c.case_index.in_(indices[start : start + _PAGE_SIZE])
                rows = connection.execute(query.where(c.run == self._run, in_batch))
                texts |= dict(map(tuple, rows))
        return [texts.get(index, "") for index in indices]

    def any_contains(self, text: str) -> bool:
        """Return whether a text occurs in the JSON of any test case."""
        query = select(RUN_CASES.c.case_index).join(CASES, CASES.c.key == RUN_CASES.c.case_key)
        matches = query.where(RUN_CASES.c.run == self._run, CASES.c.body.contains(text, autoescape=True))
        with self._engine.connect() as connection:
            return connection.execute(matches.limit(1)).first() is not None

    def _read(self, indices: list[int], where: Any) -> dict[int, TestCase]:  # noqa: ANN401
        del indices
        keys = select(RESULTS.c.case_index, func.min(RESULTS.c.case_key).label("key"))
        by_case = keys.where(RESULTS.c.run == self._run, where).group_by(RESULTS.c.case_index).subquery()
        query = select(by_case.c.case_index, CASES.c.body).join(CASES, CASES.c.key == by_case.c.key)
        with self._engine.connect() as connection:
            rows = sorted((index, body) for index, body in connection.execute(query))
        return {index: TestCase.model_validate_json(body) for index, body in rows}


class StoredResults(_StoredSequence[list[Result]]):
    """The results of a stored run: for each test case the list over metrics."""

    def _read(self, indices: list[int], where: Any) -> dict[int, list[Result]]:  # noqa: ANN401
        query = select(RESULTS.c.case_index, RESULTS.c.body).where(RESULTS.c.run == self._run, where)
        results: dict[int, list[Result]] = {index: [] for index in indices}
        with self._engine.connect() as connection:
            ordered = query.order_by(RESULTS.c.case_index, RESULTS.c.metric_index)
            for index, body in connection.execute(ordered):
                results[index].append(Result.model_validate_json(body))
        return results

    def not_measured(self, limit: int) -> list[tuple[int, Result]]:
        """Return the first results that an error prevented, each with its case index."""
        c = RESULTS.c
        query = select(c.case_index, c.body).where(c.run == self._run, c.status == "not_measured")
        with self._engine.connect() as connection:
            rows = connection.execute(query.order_by(c.case_index, c.metric_index).limit(limit)).all()
        return [(index, Result.model_validate_json(body)) for index, body in rows]

    def score_table(self, cases: Sequence[TestCase]) -> "ScoreTable | None":
        """Return the scores as arrays; None where `cases` are not the test cases of this run."""
        from ragstone.store.read.score_table import read_score_table  # noqa: PLC0415  (it imports numpy)

        same_run = isinstance(cases, StoredCases) and cases.belong_to(self._engine, self._run)
        return read_score_table(self._engine, self._run) if same_run else None

    def json_lines(self) -> Iterator[str] | None:
        """Return each result as its JSON, in input order, without making a `Result` of it.

        None where another version of ragstone wrote the run: its results may have other fields.
        """
        query = select(RUNS.c.version).where(RUNS.c.number == self._run)
        with self._engine.connect() as connection:
            written_by = connection.execute(query).scalar()
        return self._bodies() if written_by == installed_version() else None

    def _bodies(self) -> Iterator[str]:
        c = RESULTS.c
        query = select(c.body).where(c.run == self._run).order_by(c.case_index, c.metric_index)
        with self._engine.connect() as connection:
            yield from connection.execute(query.execution_options(yield_per=_PAGE_SIZE)).scalars()

    def statuses(self) -> set[Status | None]:
        """Return the statuses that the results have, from the aggregates of the run's metrics."""
        c = RUN_METRICS.c
        judged = c.passed + c.missed + c.undecided
        counts: dict[Status | None, Any] = {
            **{status: c[status] for status in STATUSES},
            None: case((judged == 0, c.scored), else_=0) + c.labelled,
        }
        query = select(*(func.sum(count) for count in counts.values())).where(c.run == self._run)
        with self._engine.connect() as connection:
            totals = connection.execute(query).one()
        return {status for status, count in zip(counts, totals, strict=True) if count}

    def outcomes(self) -> Iterator[SlimResult]:
        """Yield the columns that sums and rates are computed from."""
        c = RESULTS.c
        low, high = func.coalesce(c.low, c.score), func.coalesce(c.high, c.score)
        usage = (c.calls, c.input_tokens, c.output_tokens, c.cached_tokens)
        categories = self._categories()
        query = (
            select(c.metric, c.spec, c.score, low, high, c.status, c.cost, *usage, c.label, c.metric_index)
            .where(c.run == self._run)
            .order_by(c.case_index, c.metric_index)
            .execution_options(yield_per=_ROWS_PER_FETCH)
        )
        with self._engine.connect() as connection:
            for metric, spec, score, least, greatest, status, cost, *rest in connection.execute(query):
                *counts, label, index = rest
                yield SlimResult(
                    metric,
                    spec,
                    score,
                    least,
                    greatest,
                    status or None,
                    cost,
                    *counts,
                    label=label,
                    categories=categories.get(index, ()),
                )

    def _categories(self) -> dict[int, tuple[str, ...]]:
        c = RESULTS.c
        places = select(RUN_METRICS.c.metric_index).where(RUN_METRICS.c.run == self._run)
        found: dict[int, tuple[str, ...]] = {}
        with self._engine.connect() as connection:
            for place in connection.execute(places).scalars().all():
                query = select(c.body).where(c.run == self._run, c.metric_index == place).limit(1)
                body = connection.execute(query).scalar()
                found[place] = Result.model_validate_json(body).categories if body else ()
        return found
