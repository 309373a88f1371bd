"""One test case of a run with its results, judge calls and annotations."""

from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import Engine, or_, select

from ragstone.case import TestCase
from ragstone.result import Result
from ragstone.store.read.annotations import Annotation, Annotations
from ragstone.store.schema.tables import CASES, EXCHANGES, RESULTS, RUN_CASES

ALL_CASES = -1  # `asked_for` of a judge call whose answer the whole run shares
_RENAMED = {"asked_for": "case_index", "response": "body"}  # fields whose columns have another name


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredExchange:
    """One judge call.

    Attributes:
        prompt: name of the prompt's class.
        judge: who was asked.
        asked_for: `case_index` of the test case for which it was asked first, -1 where the whole run shares it. Equal
            questions are asked once.
        request: the text that was sent; empty where none was, as with the embedded judge.
        response: the reply as JSON (`response`, the text as it came, beside `usage` and `cost`); empty where none came.
        error: what went wrong; None where an answer came.
        recorded: whether the answer was found in a cache.
        latency_ms: wall time.
        calls: answers asked of the model, re-asks included.
        input_tokens: tokens sent.
        output_tokens: tokens received.
        cost: US dollars; None where unknown.
    """

    prompt: str
    judge: str
    asked_for: int
    request: str
    response: str
    error: str | None
    recorded: bool
    latency_ms: float
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class StoredCase:
    """One test case of a run.

    Attributes:
        case_index: its place in the run, from 0.
        case: the test case.
        results: place of the metric, from 0, to its result; those that are still to come are absent.
        exchanges: questions that were asked about it, and those that the whole run shares.
        annotations: its annotations.
    """

    case_index: int
    case: TestCase
    results: dict[int, Result]
    exchanges: tuple[StoredExchange, ...]
    annotations: tuple[Annotation, ...]


def read_case(engine: Engine, run: int, case_index: int) -> StoredCase | None:
    """Return a test case of a run; None if none of its results exist yet."""
    c = RUN_CASES.c
    condition = (c.run == run, c.case_index == case_index)
    query = select(CASES.c.key, CASES.c.body).join(RUN_CASES, c.case_key == CASES.c.key).where(*condition)
    results = select(RESULTS.c.metric_index, RESULTS.c.body).where(
        RESULTS.c.run == run, RESULTS.c.case_index == case_index
    )
    with engine.connect() as connection:
        row = connection.execute(query).first()
        if row is None:
            return None
        rows = connection.execute(results.order_by(RESULTS.c.metric_index)).all()
        exchanges = connection.execute(_exchange_query(run, case_index, row.key)).mappings().all()
    names = [field.name for field in fields(StoredExchange)]
    return StoredCase(
        case_index,
        TestCase.model_validate_json(row.body),
        {metric_index: Result.model_validate_json(body) for metric_index, body in rows},
        tuple(StoredExchange(**{name: row[_RENAMED.get(name, name)] for name in names}) for row in exchanges),
        tuple(Annotations(engine).of(run, case_index)),
    )


def _exchange_query(run: int, case_index: int, key: str) -> Any:  # noqa: ANN401  (a query)
    """Return a query for what was asked about a test case, or about an equal one in its place."""
    equal_cases = select(RUN_CASES.c.case_index).where(RUN_CASES.c.case_key == key, RUN_CASES.c.run == run)
    c = EXCHANGES.c
    condition = or_(c.case_index.in_((ALL_CASES, case_index)), c.case_index.in_(equal_cases))
    return select(EXCHANGES).where(c.run == run, condition).order_by(c.case_index, c.prompt, c.key)
