"""Queries for the page of a watch: sums over time slots, the worst traces, the sampled traces, one complete trace."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Engine, and_, cast, func, null, or_, select, true

from ragstone.store.queue.removal import is_of_traces
from ragstone.store.queue.watch_state import PROCESS, SILENT_SECONDS
from ragstone.store.schema.tables import (
    CASES,
    FEEDBACK,
    RESULTS,
    RUN_CASES,
    RUNS,
    TRACE_RECORDS,
    TRACES,
    WATCH_RESULTS,
    WATCH_STATE,
)
from ragstone.traces.span import Record, record_from_json


@dataclass(frozen=True, slots=True)
class SlotSums:
    """The scores of a metric by the judge of all traces, in one slot of time.

    `slot` is its number, from 0; `mean` is None without scores, `deviation` with fewer than two.
    """

    metric: str
    slot: int
    n: int
    mean: float | None
    deviation: float | None


@dataclass(frozen=True, slots=True)
class JudgedPlace:
    """A judged trace, session or span, and where its results are shown.

    Attributes:
        trace_id: the trace; of a session, the first one.
        run: id of the run that shows it; None if its text was deleted.
        question: the question; empty if its text was deleted.
        judged_by: `all`, `sample` or `people`.
        received: when its first record came, seconds since 1970.
        probability: probability with which it was sampled.
        cheap: for a sampled one, the score by the judge of all traces.
        reason: of one of the worst, why it has its score; empty if that is not known.
    """

    trace_id: str
    run: str | None
    case_index: int
    question: str
    metric: str
    judged_by: str
    score: float | None
    received: float
    probability: float
    cheap: float | None = None
    reason: str = ""


def read_marker(engine: Engine, watch: str) -> tuple[Any, ...]:
    """Return a value that changes when traces are received, judged or deleted, or people give verdicts or feedback."""
    c, state, judged = TRACES.c, WATCH_STATE.c, WATCH_RESULTS.c
    verdict_counts = (
        select(judged.status, func.count(), func.sum(judged.score))
        .where(judged.watch == watch, judged.judged_by == "people")
        .group_by(judged.status)
        .order_by(judged.status)
    )
    with engine.connect() as connection:
        counts = connection.execute(select(c.state, func.count()).group_by(c.state).order_by(c.state))
        values = tuple(tuple(row) for row in (*counts, *connection.execute(verdict_counts)))
        # Signs of life are saved all the time: what they say counts, not when.
        updated = select(func.max(state.updated)).where(state.watch == watch, ~state.name.startswith(PROCESS))
        feedback = select(func.count(), func.max(FEEDBACK.c.updated))
        life = tuple(
            (name, body, seen < time.time() - SILENT_SECONDS)
            for name, body, seen in connection.execute(
                select(state.name, state.body, state.updated)
                .where(state.watch == watch, state.name.startswith(PROCESS))
                .order_by(state.name)
            )
        )
        return (*values, connection.execute(updated).scalar(), *connection.execute(feedback).one(), *life)


def read_first(engine: Engine, watch: str) -> float | None:
    """Return when the first judged trace was received; None without any."""
    c = WATCH_RESULTS.c
    with engine.connect() as connection:
        return connection.execute(select(func.min(c.received)).where(c.watch == watch)).scalar()


def read_slots(engine: Engine, watch: str, since: float, until: float, slot: float) -> list[SlotSums]:
    """Return the sums over slots of `slot` seconds, by metric and time."""
    c = WATCH_RESULTS.c
    number = (cast((c.received - since) * 1000, BigInteger) // int(slot * 1000)).label("slot")
    sums = (func.count(c.score), func.sum(c.score), func.sum(c.score * c.score))
    query = (
        select(c.metric, number, *sums)
        .where(c.watch == watch, c.judged_by == "all", c.received >= since, c.received < until)
        .group_by(c.metric, number)
        .order_by(c.metric, number)
    )
    slots: list[SlotSums] = []
    with engine.connect() as connection:
        for name, place, n, total, squares in connection.execute(query):
            mean = None if total is None or not n else total / n
            spread = None if mean is None or n < 2 else ((squares or 0.0) - n * mean * mean) / (n - 1)  # noqa: PLR2004
            slots.append(SlotSums(name, place, n, mean, None if spread is None else sqrt(max(0.0, spread))))
    return slots


def read_releases(engine: Engine, watch: str, since: float) -> list[tuple[str, float]]:
    """Return the releases seen since a time, with the time of their first trace from then on."""
    c = WATCH_RESULTS.c
    first = func.min(c.received)
    query = (
        select(c.app_release, first)
        .where(c.watch == watch, c.received >= since, c.app_release != "")
        .group_by(c.app_release)
        .order_by(first)
    )
    with engine.connect() as connection:
        return [(release, first_time) for release, first_time in connection.execute(query)]


def read_worst(engine: Engine, watch: str, since: float, most: int, metric: str = "") -> list[JudgedPlace]:
    """Return the traces received since a time whose scores lie farthest on the wrong side of their threshold.

    `metric` is the name of a metric without options; empty for all.
    """
    c = WATCH_RESULTS.c
    named = or_(c.metric == metric, c.metric.startswith(f"{metric}(", autoescape=True)) if metric else true()
    query = (
        _judged_place_query(null(), RESULTS.c.body)
        .where(c.watch == watch, c.received >= since, c.judged_by == "all", RESULTS.c.shortfall > 0, named)
        .order_by(RESULTS.c.shortfall.desc(), c.received.desc(), c.trace_id)
        .limit(most)
    )
    with engine.connect() as connection:
        return [
            JudgedPlace(*place, reason=str(json.loads(body).get("reason") or ""))
            for *place, body in connection.execute(query)
        ]


def read_drawn(engine: Engine, watch: str, since: float, most: int) -> list[JudgedPlace]:
    """Return the traces received since a time that the judge of the sample judged, the latest first."""
    c = WATCH_RESULTS.c
    by_all = WATCH_RESULTS.alias("every")
    same_unit = and_(
        by_all.c.watch == c.watch,
        by_all.c.unit == c.unit,
        by_all.c.metric_index == c.metric_index,
        by_all.c.judged_by == "all",
    )
    query = (
        _judged_place_query(by_all.c.score)
        .outerjoin(by_all, same_unit)
        .where(c.watch == watch, c.received >= since, c.judged_by == "sample")
        .order_by(c.received.desc(), c.trace_id, c.metric_index)
        .limit(most)
    )
    with engine.connect() as connection:
        return [JudgedPlace(*row) for row in connection.execute(query)]


def _judged_place_query(*extra: Any) -> Any:  # noqa: ANN401  (a column; a query)
    c, result, case, run = WATCH_RESULTS.c, RESULTS.c, CASES.c, RUNS.c
    same_result = and_(
        result.run == c.run, result.case_index == c.case_index, result.metric_index == c.metric_index
    )
    same_case = and_(RUN_CASES.c.run == c.run, RUN_CASES.c.case_index == c.case_index)
    columns = (c.trace_id, run.id, c.case_index, func.coalesce(case.input, ""), c.metric, c.judged_by)
    return (
        select(*columns, c.score, c.received, c.probability, *extra)
        .select_from(WATCH_RESULTS)
        .outerjoin(RUNS, run.number == c.run)
        .outerjoin(RESULTS, same_result)
        .outerjoin(RUN_CASES, same_case)
        .outerjoin(CASES, case.key == RUN_CASES.c.case_key)
    )


class TraceScore(NamedTuple):
    """A score of a trace.

    Attributes:
        unit: what was judged: the key of a trace or of a session, or the ids of a trace and of a span of it.
        judged_by: `all`, `sample` or `people`.
        status: of its result; empty for a metric without a threshold.
    """

    unit: str
    judged_by: str
    metric: str
    status: str
    score: float | None


@dataclass(frozen=True, slots=True)
class StoredTrace:
    """A stored trace.

    Attributes:
        state: `open`, `done` or `dead`.
        received: when its first record came, seconds since 1970.
        error: why it could not be judged; empty without an error.
        places: where its results are shown: judge → run id and case index.
        scores: what watches measured of it, of its session or of a span of it.
    """

    trace_id: str
    state: str
    received: float
    error: str
    records: tuple[Record, ...]
    places: Mapping[str, tuple[str, int]]
    scores: tuple[TraceScore, ...] = ()


def read_trace(engine: Engine, trace_id: str) -> StoredTrace | None:
    """Return a trace; None if there is none, or if it was deleted."""
    c, judged = TRACES.c, WATCH_RESULTS.c
    place_query = (
        select(judged.judged_by, RUNS.c.id, judged.case_index)
        .join(RUNS, RUNS.c.number == judged.run)
        .where(is_of_traces([trace_id]))
    )
    scores = select(judged.unit, judged.judged_by, judged.metric, judged.status, judged.score)
    of_trace = scores.where(is_of_traces([trace_id])).order_by(judged.judged_by, judged.metric_index)
    bodies = select(TRACE_RECORDS.c.body).where(TRACE_RECORDS.c.trace_id == trace_id)
    query = select(c.state, c.first_received, c.error).where(c.trace_id == trace_id)
    with engine.connect() as connection:
        row = connection.execute(query).first()
        if row is None:
            return None
        records = [record_from_json(json.loads(body)) for body in connection.execute(bodies).scalars()]
        places = {name: (run, index) for name, run, index in connection.execute(place_query)}
        found = tuple(TraceScore(*score) for score in connection.execute(of_trace))
    return StoredTrace(trace_id, row.state, row.first_received, row.error, tuple(records), places, found)
