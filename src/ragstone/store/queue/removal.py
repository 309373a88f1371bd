"""Deletes the data of traces: test cases and results in runs, and feedback."""

import json
from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, or_, select, update

from ragstone.store.queue.feedback import is_of_spans, pieces
from ragstone.store.schema.tables import (
    ANNOTATIONS,
    ANSWERS,
    CASES,
    EXCHANGES,
    FEEDBACK,
    RESULTS,
    RUN_CASES,
    RUNS,
    TRACE_RECORDS,
    TRACES,
    WATCH_RESULTS,
)
from ragstone.store.write.aggregates import recount_metrics
from ragstone.store.write.rows import digest
from ragstone.traces.span import record_from_json

_CASE_TABLES = (ANNOTATIONS, EXCHANGES, RESULTS, RUN_CASES)
_EMPTY_TEXTS = {"label": "", "comment": "", "correction": ""}


def is_of_traces(traces: Sequence[str]) -> ColumnElement[bool]:
    """Return the condition that a score is of one of these traces, or of a session that one of them is part of."""
    sessions = select(TRACES.c.session).where(TRACES.c.trace_id.in_(traces), TRACES.c.session != "")
    return or_(WATCH_RESULTS.c.trace_id.in_(traces), WATCH_RESULTS.c.session.in_(sessions))


def remove_judged(connection: Connection, traces: Sequence[str], *, keep_figures: bool) -> None:
    """Delete test cases, results and judge calls of traces, and of sessions that hold one of them.

    With `keep_figures` the scores of watches stay.
    """
    c = WATCH_RESULTS.c
    condition = is_of_traces(traces)
    query = select(c.run, c.case_index).where(condition, c.run > 0).distinct()
    by_run: dict[int, list[int]] = {}
    for run, case_index in connection.execute(query):
        by_run.setdefault(run, []).append(case_index)
    for run, indices in sorted(by_run.items()):
        _remove_cases(connection, run, indices)
    if keep_figures:
        connection.execute(update(WATCH_RESULTS).where(condition).values(run=0))
    else:
        connection.execute(delete(WATCH_RESULTS).where(condition))


def _remove_cases(connection: Connection, run: int, indices: Sequence[int]) -> None:
    condition = (RUN_CASES.c.run == run, RUN_CASES.c.case_index.in_(indices))
    keys = list(connection.execute(select(RUN_CASES.c.case_key).where(*condition)).scalars())
    count = 0
    for table in _CASE_TABLES:
        statement = delete(table).where(table.c.run == run, table.c.case_index.in_(indices))
        removed = connection.execute(statement).rowcount
        count += removed if table is RESULTS else 0
    is_used = or_(*(exists().where(table.c.case_key == CASES.c.key) for table in (RUN_CASES, ANSWERS)))
    connection.execute(delete(CASES).where(CASES.c.key.in_(keys), ~is_used))
    recount_metrics(connection, run)
    connection.execute(update(RUNS).where(RUNS.c.number == run).values(done=RUNS.c.done - count))


def remove_feedback_text(connection: Connection, traces: Sequence[str]) -> None:
    """Delete comments and corrections on traces; thumbs and scores stay, as figures do."""
    connection.execute(update(FEEDBACK).where(_is_feedback_on(traces)).values(**_EMPTY_TEXTS))


def remove_older_text(connection: Connection, before: float) -> None:
    """Delete comments and corrections that came, or were changed, before a time: seconds since 1970."""
    older = and_(FEEDBACK.c.updated < before, or_(*(FEEDBACK.c[name] != "" for name in _EMPTY_TEXTS)))
    connection.execute(update(FEEDBACK).where(older).values(**_EMPTY_TEXTS))


def remove_feedback(connection: Connection, traces: Sequence[str]) -> None:
    """Delete the feedback on traces, their spans and their sessions; their records must not be deleted before."""
    sessions = select(TRACES.c.session).where(TRACES.c.trace_id.in_(traces), TRACES.c.session != "")
    condition = or_(_is_feedback_on(traces), FEEDBACK.c.session_hash.in_(sessions))
    connection.execute(delete(FEEDBACK).where(condition))
    of_spans = and_(FEEDBACK.c.trace_id == "", FEEDBACK.c.span_id != "")
    if connection.execute(select(FEEDBACK.c.key).where(of_spans).limit(1)).first() is None:
        return
    bodies = connection.execute(select(TRACE_RECORDS.c.body).where(TRACE_RECORDS.c.trace_id.in_(traces)))
    spans = {record_from_json(json.loads(body)).span_id for body in bodies.scalars()}
    for ids in pieces(sorted(spans)):
        connection.execute(delete(FEEDBACK).where(is_of_spans(ids)))


def remove_author(connection: Connection, author: str) -> None:
    """Delete all feedback of a person."""
    connection.execute(delete(FEEDBACK).where(FEEDBACK.c.author_hash == digest(author)))


def _is_feedback_on(traces: Sequence[str]) -> ColumnElement[bool]:
    return or_(FEEDBACK.c.trace_id.in_(traces), FEEDBACK.c.origin.in_(traces))
