"""Feedback of people on traces: stored beside them, each once, whether it comes before its trace, with it or later.

It names a trace, a span or a session, and is joined with the received traces when it is read. Of the author and of the
session only hashes are stored.
"""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sqlalchemy import ColumnElement, Engine, and_, delete, or_, select, update

from ragstone.store.schema.tables import FEEDBACK, TRACES, WATCH_RESULTS
from ragstone.store.write.aggregates import insert_into
from ragstone.store.write.bulk import Row
from ragstone.store.write.rows import digest, storable_text

_MAX_VALUES = 400
_MAX_NAME_LENGTH = 200
_TEXTS = {
    64: ("origin", "trace_id", "span_id"),
    _MAX_NAME_LENGTH: ("name", "label"),
    20_000: ("comment", "correction"),
}
"""Most characters that are stored → fields."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """A piece of feedback, as it was received.

    Attributes:
        name: what is judged, such as `user_feedback`.
        trace_id: the trace; empty if only a span or a session is named. `span_id` and `session` likewise.
        thumb: `up` or `down`; empty if neither was given.
        score: in [0, 1]; None without one.
        label: a word that was given instead.
        comment: the reason.
        correction: what the answer should have been.
        author: the person; only a hash is stored.
        id: its id; feedback with the same id replaces it. If empty, the id is derived from target, name and author,
            and without an author from the content too.
        origin: the trace with which it arrived; empty if it was sent separately.
        received: when it came, seconds since 1970; None: now.
    """

    name: str
    trace_id: str = ""
    span_id: str = ""
    session: str = ""
    thumb: Literal["", "up", "down"] = ""
    score: float | None = None
    label: str = ""
    comment: str = ""
    correction: str = ""
    author: str = ""
    id: str = ""
    origin: str = ""
    received: float | None = None

    @property
    def known_by(self) -> str:
        """The given id, or one derived from the other fields."""
        if self.id:
            return self.id
        target = (self.origin, self.trace_id, self.span_id, self.session, self.name, self.author)
        content = (self.thumb, self.score, self.label, self.comment, self.correction)
        return f"feedback-{digest(json.dumps([*target, *(() if self.author else content)]))[:24]}"


@dataclass(frozen=True, slots=True)
class StoredFeedback:
    """A piece of feedback, as it is stored.

    Attributes:
        id: its id.
        source: `api`, or `trace` if it arrived with spans.
        origin: the trace with which it arrived; empty if it was sent separately.
        trace_id: the trace; empty if only a span or a session was named.
        span_id: the span; empty if none was named.
        of_session: whether it names a session.
        name: what was judged.
        thumb: `up` or `down`; empty if neither was given.
        score: in [0, 1]; None without one.
        label: a word that was given instead.
        comment: the reason; empty if none was given, or if the text was deleted.
        correction: what the answer should have been, likewise.
        received: when it first came, seconds since 1970.
        updated: when it last changed.
    """

    id: str
    source: str
    origin: str
    trace_id: str
    span_id: str
    of_session: bool
    name: str
    thumb: str
    score: float | None
    label: str
    comment: str
    correction: str
    received: float
    updated: float

    @property
    def value(self) -> float | None:
        """1 for thumbs up, 0 for down, else the score."""
        return feedback_value(self.thumb, self.score)


def feedback_value(thumb: str, score: float | None) -> float | None:
    """Return 1 for thumbs up, 0 for down, else the score."""
    return float(thumb == "up") if thumb else score


def put_feedback(engine: Engine, said: Feedback) -> bool:
    """Store feedback, replacing feedback with the same id; return whether there was any."""
    row = _row(said, time.time())
    with engine.begin() as connection:
        insert = insert_into(connection, FEEDBACK).values(**row).on_conflict_do_nothing()
        if connection.execute(insert.returning(FEEDBACK.c.key)).first() is not None:
            return False
        changes = {name: value for name, value in row.items() if name not in {"key", "received"}}
        connection.execute(update(FEEDBACK).where(FEEDBACK.c.key == row["key"]).values(**changes))
    return True


def replace_arrived(engine: Engine, arrived: Mapping[str, Sequence[Feedback]]) -> None:
    """Store the feedback that arrived with each trace, replacing what had arrived with it before."""
    now = time.time()
    rows = {row["key"]: row for items in arrived.values() for row in (_row(item, now) for item in items)}
    with engine.begin() as connection:
        for ids in pieces(sorted(arrived)):
            connection.execute(delete(FEEDBACK).where(FEEDBACK.c.origin.in_(ids)))
        if rows:
            insert = insert_into(connection, FEEDBACK).on_conflict_do_nothing()
            connection.execute(insert, [rows[key] for key in sorted(rows)])


def take_back(engine: Engine, identifier: str) -> bool:
    """Delete the feedback with an id, if it was sent separately; return whether there was any."""
    with engine.begin() as connection:
        statement = delete(FEEDBACK).where(FEEDBACK.c.key == digest(identifier), FEEDBACK.c.source == "api")
        return connection.execute(statement).rowcount > 0


def feedback_on(
    engine: Engine, trace_id: str, spans: Iterable[str] = (), session: str = "", *, most: int = 200
) -> list[StoredFeedback]:
    """Return the feedback on a trace (if not empty), its spans, its session or another session, the latest first."""
    c = FEEDBACK.c
    conditions = [is_of_spans(ids) for ids in pieces(sorted(set(spans)))]
    if trace_id:
        trace = storable_text(trace_id)
        own = select(TRACES.c.session).where(TRACES.c.trace_id == trace, TRACES.c.session != "")
        # The session's hash is that with which the trace was received; in its spans it may be redacted.
        conditions += [c.trace_id == trace, c.session_hash.in_(own)]
    conditions += [c.session_hash == digest(session)] if session else []
    columns = (
        c.id,
        c.source,
        c.origin,
        c.trace_id,
        c.span_id,
        c.session_hash != "",
        c.name,
        c.thumb,
        c.score,
    )
    query = select(*columns, c.label, c.comment, c.correction, c.received, c.updated)
    by_id: dict[str, StoredFeedback] = {}
    with engine.connect() as connection:
        for condition in conditions:
            found = query.where(condition).order_by(c.updated.desc(), c.key).limit(most)
            rows = [StoredFeedback(*row) for row in connection.execute(found)]
            by_id |= {item.id: item for item in rows}
    return sorted(by_id.values(), key=lambda item: (-item.updated, item.id))[:most]


class FeedbackValue(NamedTuple):
    """The value of a piece of feedback, and the trace, span or session that it names."""

    name: str
    target: str
    thumb: str
    score: float | None

    @property
    def value(self) -> float | None:
        """1 for thumbs up, 0 for down, else the score."""
        return feedback_value(self.thumb, self.score)


def read_feedback_values(engine: Engine, since: float, until: float) -> list[FeedbackValue]:
    """Return the values of the feedback received from `since` on and before `until`: seconds since 1970."""
    c = FEEDBACK.c
    query = select(c.name, c.trace_id, c.span_id, c.session_hash, c.thumb, c.score).where(
        c.received >= since, c.received < until
    )
    with engine.connect() as connection:
        return [
            FeedbackValue(name, trace or span or session, thumb, score)
            for name, trace, span, session, thumb, score in connection.execute(query.order_by(c.key))
        ]


def read_beside_results(
    engine: Engine, watch: str, since: float, until: float
) -> list[tuple[str, str, str, float | None]]:
    """Return metric, status, thumb and score for each pair of a result by the judge of all and feedback on the same."""
    c, judged = FEEDBACK.c, WATCH_RESULTS.c
    session = and_(judged.session != "", judged.session == c.session_hash)
    same_target = or_(and_(c.trace_id != "", judged.trace_id == c.trace_id), session)
    query = (
        select(judged.metric, judged.status, c.thumb, c.score)
        .join(WATCH_RESULTS, and_(same_target, judged.watch == watch))
        .where(judged.judged_by == "all", c.received >= since, c.received < until)
    )
    with engine.connect() as connection:
        return [(metric, status, thumb, score) for metric, status, thumb, score in connection.execute(query)]


def _row(feedback: Feedback, now: float) -> Row:
    texts = {
        name: storable_text(getattr(feedback, name))[:longest]
        for longest, names in _TEXTS.items()
        for name in names
    }
    return {
        **texts,
        "key": digest(feedback.known_by),
        "id": storable_text(feedback.known_by)[:_MAX_NAME_LENGTH],
        "source": "trace" if feedback.origin else "api",
        "session_hash": digest(feedback.session) if feedback.session else "",
        "author_hash": digest(feedback.author) if feedback.author else "",
        "thumb": feedback.thumb,
        "score": feedback.score,
        "received": now if feedback.received is None else feedback.received,
        "updated": now,
    }


def is_of_spans(spans: Sequence[str]) -> ColumnElement[bool]:
    """Return the condition for feedback that names one of these spans and no trace."""
    return and_(FEEDBACK.c.span_id.in_(spans), FEEDBACK.c.trace_id == "")


def pieces(values: Sequence[str]) -> Iterable[Sequence[str]]:
    """Yield values in lists short enough for one statement."""
    for start in range(0, len(values), _MAX_VALUES):
        yield values[start : start + _MAX_VALUES]
