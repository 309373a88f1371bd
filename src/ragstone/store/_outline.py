"""A run's scores without what explains them: all that a comparison needs, at a small part of the cost of the whole."""

from dataclasses import dataclass

from sqlalchemy import Connection, Engine, select

from ragstone.case import TestCase
from ragstone.result import Result
from ragstone.store._tables import CASES, PLACES, RESULTS

_SHOWN = 500
"""Characters of a question that the table of test cases keeps."""


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """The test cases of a run and their scores, both in input order.

    Attributes:
        indices: places of the test cases in the run.
        cases: their ids and the beginnings of their questions; nothing else of them.
        results: over test cases the list over metrics; without reasons, verdicts and usage.
    """

    indices: list[int]
    cases: list[TestCase]
    results: list[list[Result]]


def outline_of(engine: Engine, run: int) -> Outline:
    """Return the outline of the run of that number."""
    with engine.connect() as connection:
        cases = _cases(connection, run)
        results = _results(connection, run)
    return Outline(list(cases), list(cases.values()), [results.get(index, []) for index in cases])


def _cases(connection: Connection, run: int) -> dict[int, TestCase]:
    of = PLACES.c
    query = (
        select(of.case_index, of.case_id, CASES.c.input, of.asked)
        .join(CASES, CASES.c.key == of.case_key)
        .where(of.run == run)
        .order_by(of.case_index)
    )
    return {
        index: TestCase.model_construct(id=case_id, input=_question(question, asked), metadata={}, tags=())
        for index, case_id, question, asked in connection.execute(query)
    }


def _question(beginning: str, asked: str) -> str:
    """Return a question; of a long one the beginning and a hash of it all, so that equal ones stay equal."""
    return beginning if len(beginning) < _SHOWN else f"{beginning}… {asked}"


def _results(connection: Connection, run: int) -> dict[int, list[Result]]:
    of = RESULTS.c
    names = (of.metric_index, of.metric, of.spec, of.status, of.score, of.success, of.case_id)
    query = select(of.case_index, *names).where(of.run == run).order_by(of.case_index, of.metric_index)
    marks: dict[int, tuple[float, bool]] = {}
    found: dict[int, list[Result]] = {}
    for index, place, metric, spec, status, score, success, case_id in connection.execute(query).all():
        if place not in marks:
            marks[place] = _mark(connection, run, index, place)
        threshold, higher = marks[place]
        result = Result.model_construct(
            metric=metric,
            spec=spec,
            score=score,
            success=success,
            threshold=threshold,
            higher_is_better=higher,
            skipped=status == "SKIPPED",
            case_id=case_id,
        )
        found.setdefault(index, []).append(result)
    return found


def _mark(connection: Connection, run: int, index: int, place: int) -> tuple[float, bool]:
    """Return a metric's threshold and direction, as one of its results tells them."""
    of = RESULTS.c
    query = select(of.body).where(of.run == run, of.case_index == index, of.metric_index == place)
    result = Result.model_validate_json(connection.execute(query).scalar_one())
    return result.threshold, result.higher_is_better
