"""The test cases and results of a stored run, as sequences that are read on access: a million take no memory."""

from collections.abc import Iterator, Sequence
from operator import eq
from typing import Any, Generic, TypeVar, cast, overload

from sqlalchemy import Engine, and_, func, select

from ragstone.case import TestCase
from ragstone.result import Result, SlimResult
from ragstone.store.schema.tables import CASES, RESULTS, RUN_METRICS

T = TypeVar("T")

_PAGE = 500
_STREAM = 5000


class _Stored(Sequence[T], Generic[T]):
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
        return self._page([self._place(position)])[0]

    def __iter__(self) -> Iterator[T]:
        last = -1
        while places := self._places_after(last):
            yield from self._page(places)
            last = places[-1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        its = cast("Sequence[object]", other)
        return len(self) == len(its) and all(map(eq, self, its))

    __hash__ = None  # pyright: ignore[reportAssignmentType]  (as for a list)

    def places(self) -> list[int]:
        """Return the case index of each test case, in input order: they have gaps if a run was interrupted."""
        with self._engine.connect() as connection:
            return [int(place) for place in connection.execute(self._places()).scalars()]

    def _place(self, position: int) -> int:
        """Return the case index at a position: they differ if an interrupted run left gaps."""
        query = self._places().offset(position).limit(1)
        with self._engine.connect() as connection:
            return int(connection.execute(query).scalar_one())

    def _places_after(self, last: int) -> list[int]:
        query = self._places().where(RESULTS.c.case_index > last).limit(_PAGE)
        with self._engine.connect() as connection:
            return [int(place) for place in connection.execute(query).scalars()]

    def _places(self) -> Any:  # noqa: ANN401  (a query)
        place = RESULTS.c.case_index
        return select(place).where(RESULTS.c.run == self._run).group_by(place).order_by(place)

    def _page(self, places: list[int]) -> list[T]:
        """Return the values at some places."""
        raise NotImplementedError

    def _at(self, places: list[int]) -> Any:  # noqa: ANN401  (a condition)
        return and_(RESULTS.c.run == self._run, RESULTS.c.case_index.between(places[0], places[-1]))


class StoredCases(_Stored[TestCase]):
    """The test cases of a stored run."""

    def _page(self, places: list[int]) -> list[TestCase]:
        keys = select(RESULTS.c.case_index, func.min(RESULTS.c.case_key).label("key")).where(self._at(places))
        by_place = keys.group_by(RESULTS.c.case_index).subquery()
        query = select(by_place.c.case_index, CASES.c.body).join(CASES, CASES.c.key == by_place.c.key)
        with self._engine.connect() as connection:
            rows = sorted((place, body) for place, body in connection.execute(query))
        return [TestCase.model_validate_json(body) for _, body in rows]


class StoredResults(_Stored[list[Result]]):
    """The results of a stored run: for each test case the list over metrics."""

    def _page(self, places: list[int]) -> list[list[Result]]:
        query = select(RESULTS.c.case_index, RESULTS.c.body).where(self._at(places))
        by_place: dict[int, list[Result]] = {place: [] for place in places}
        with self._engine.connect() as connection:
            for place, body in connection.execute(
                query.order_by(RESULTS.c.case_index, RESULTS.c.metric_index)
            ):
                by_place[place].append(Result.model_validate_json(body))
        return list(by_place.values())

    def statuses(self) -> set[str]:
        """Return the statuses that the results have, from the aggregates of the run's metrics."""
        of = RUN_METRICS.c
        counts = {"PASS": of.passed, "FAIL": of.missed, "ERROR": of.failed, "SKIPPED": of.skipped}
        query = select(*(func.sum(count) for count in counts.values())).where(of.run == self._run)
        with self._engine.connect() as connection:
            found = connection.execute(query).one()
        return {status for status, count in zip(counts, found, strict=True) if count}

    def outcomes(self) -> Iterator[SlimResult]:
        """Yield the columns that sums and rates are computed from."""
        of = RESULTS.c
        usage = (of.calls, of.input_tokens, of.output_tokens, of.cached_tokens)
        query = (
            select(of.metric, of.spec, of.score, of.success, of.status, of.cost, *usage)
            .where(of.run == self._run)
            .order_by(of.case_index, of.metric_index)
            .execution_options(yield_per=_STREAM)
        )
        with self._engine.connect() as connection:
            for metric, spec, score, success, status, cost, *counts in connection.execute(query):
                yield SlimResult(metric, spec, score, success, status, cost, *counts)
