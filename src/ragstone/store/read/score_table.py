"""A run's scores without explanations: what a comparison needs, at a fraction of the cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, select

from ragstone.result import Result
from ragstone.store.schema.tables import CASES, RESULTS, RUN_CASES

_SHOWN = 500
"""Characters of a question in the table of test cases."""


class KnownCase(NamedTuple):
    """What identifies a test case in a comparison; the names are those of `TestCase`."""

    id: str
    input: str
    metadata: Mapping[str, Any] = MappingProxyType({})


class ScoredResult(NamedTuple):
    """A result without its explanation; the names are those of `Result`."""

    metric: str
    spec: str
    score: float | None
    success: bool
    threshold: float
    higher_is_better: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """The test cases of a run and their scores, both in input order.

    Plain tuples, since a hundred thousand models take ten times as long to make as to read.

    Attributes:
        indices: places of the test cases in the run.
        cases: their ids and the beginnings of their questions.
        results: over test cases the list over metrics.
    """

    indices: list[int]
    cases: list[KnownCase]
    results: list[list[ScoredResult]]


def read_score_table(engine: Engine, run: int) -> ScoreTable:
    """Return the scores of the run of that number."""
    with engine.connect() as connection:
        cases = _cases(connection, run)
        results = _results(connection, run)
    return ScoreTable(list(cases), list(cases.values()), [results.get(index, []) for index in cases])


def _cases(connection: Connection, run: int) -> dict[int, KnownCase]:
    of = RUN_CASES.c
    query = (
        select(of.case_index, of.case_id, CASES.c.input, of.question_hash)
        .join(CASES, CASES.c.key == of.case_key)
        .where(of.run == run)
        .order_by(of.case_index)
    )
    return {
        index: KnownCase(case_id, _question(question, asked))
        for index, case_id, question, asked in _tuples(connection, query)
    }


def _question(beginning: str, asked: str) -> str:
    """Return a question; of a long one the beginning and a hash of it all, so that equal ones stay equal."""
    return beginning if len(beginning) < _SHOWN else f"{beginning}… {asked}"


def _results(connection: Connection, run: int) -> dict[int, list[ScoredResult]]:
    """Return the results of each test case. All columns are in one index, so no explanation is read past."""
    of = RESULTS.c
    query = select(of.case_index, of.metric_index, of.status, of.score).where(of.run == run)
    rows = _tuples(connection, query.order_by(of.case_index, of.metric_index))
    metrics: dict[int, tuple[tuple[str, str], tuple[float, bool]]] = {}
    found: dict[int, list[ScoredResult]] = {}
    for index, place, status, score in rows:
        known = metrics.get(place)
        if known is None:
            known = metrics[place] = _metric(connection, run, index, place)
        scored = ScoredResult(*known[0], score, status == "PASS", *known[1])
        there = found.get(index)
        if there is None:
            found[index] = [scored]
        else:
            there.append(scored)
    return found


def _tuples(connection: Connection, query: Any) -> list[Any]:  # noqa: ANN401  (a query)
    """Return the driver's own rows: SQLAlchemy's take as long to make as these to read."""
    cursor: Any = connection.execute(query).cursor
    return cursor.fetchall()


def _metric(
    connection: Connection, run: int, index: int, place: int
) -> tuple[tuple[str, str], tuple[float, bool]]:
    """Return a metric's name and spec, and its threshold and direction, as one of its results tells them."""
    of = RESULTS.c
    query = select(of.metric, of.spec, of.body).where(
        of.run == run, of.case_index == index, of.metric_index == place
    )
    metric, spec, body = connection.execute(query).one()
    result = Result.model_validate_json(body)
    return (metric, spec), (result.threshold, result.higher_is_better)
