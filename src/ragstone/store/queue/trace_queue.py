"""The queue of traces: receivers put records, workers claim traces, old traces are deleted."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, Select, delete, func, select, update

from ragstone.store.queue.claims import (
    DEFAULT_RULE,
    ClaimedUnit,
    CompletionRule,
    claim_units,
    extend_claims,
    read_records,
    retry_later,
)
from ragstone.store.queue.group_commit import GroupCommit
from ragstone.store.queue.intake import DEAD, DONE, OPEN, PutCounts, record_batch
from ragstone.store.queue.removal import (
    remove_author,
    remove_feedback,
    remove_feedback_text,
    remove_judged,
    remove_older_text,
)
from ragstone.store.queue.watch_state import remove_check
from ragstone.store.schema.connect import DATABASE_ERRORS, connect, display_name
from ragstone.store.schema.tables import TRACE_RECORDS, TRACES
from ragstone.store.write.rows import digest
from ragstone.traces.redaction import Redaction
from ragstone.traces.span import Record

_MAX_TRACES_PER_DELETE = 200


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """How many traces are in the queue.

    Attributes:
        waiting: not judged yet.
        judged: judged, and their text still kept.
        dead: given up after several attempts.
        waiting_bytes: size of the records of those that wait.
    """

    waiting: int
    judged: int
    dead: int
    waiting_bytes: int


class TraceQueue:
    """Traces in one database. Several processes may put and claim at once; one object serves several threads.

    Attributes:
        engine: the database.
        redaction: what is replaced before a record is kept.
    """

    def __init__(self, engine: Engine, redaction: Redaction = Redaction()) -> None:  # noqa: B008  (frozen)
        """Use the database of `engine`; see `open_queue`."""
        self.engine = engine
        self.redaction = redaction
        self._commits = GroupCommit(engine)

    @property
    def where(self) -> str:
        """The file or the URL, without its password."""
        return display_name(self.engine.url)

    def put(
        self, records: Iterable[Record], *, largest: int | None = None, total: int | None = None
    ) -> PutCounts:
        """Redact and store records; on return they are committed. Those that several threads put, together.

        `largest` and `total` are the bytes of JSON that a record, and all of them, may have; larger records are left
        out, and reported.

        Raises:
            TooMuchToStore: they have more than `total`.
            StoreError: they could not be stored; none of them is.
        """
        batch = record_batch(((record, self.redaction.record(record)) for record in records), largest, total)
        return self._commits.put(batch)

    def records(self, trace_id: str) -> tuple[Record, ...]:
        """Return the records of a trace that have come so far."""
        with self.engine.connect() as connection:
            return read_records(connection, [trace_id])[0]

    def claim(
        self, most: int, rule: CompletionRule = DEFAULT_RULE, *, duration: float = 120.0
    ) -> tuple[ClaimedUnit, ...]:
        """Claim complete traces, or sessions, for `duration` seconds, those that have waited longest first."""
        return claim_units(self.engine, most, rule=rule, duration=duration)

    def extend(self, claimed: Sequence[ClaimedUnit], duration: float = 120.0) -> None:
        """Extend claims to `duration` seconds from now."""
        extend_claims(self.engine, claimed, duration)

    def retry(self, claimed: Sequence[ClaimedUnit], *, pause: float, error: str) -> None:
        """Release claimed traces, to be claimed again after `pause` seconds."""
        retry_later(self.engine, claimed, pause=pause, error=error)

    def revive(self) -> int:
        """Let traces that were given up be claimed again; return how many."""
        values = {"state": OPEN, "attempts": 0, "not_before": 0.0}
        with self.engine.begin() as connection:
            statement = update(TRACES).where(TRACES.c.state == DEAD)
            return connection.execute(statement.values(**values, revision=TRACES.c.revision + 1)).rowcount

    def counts(self) -> QueueCounts:
        """Return how many traces are in which state."""
        c = TRACES.c
        query = select(c.state, func.count(), func.sum(c.bytes)).group_by(c.state)
        with self.engine.connect() as connection:
            by_state = {state: (count, int(size or 0)) for state, count, size in connection.execute(query)}
        waiting, size = by_state.get(OPEN, (0, 0))
        return QueueCounts(waiting, by_state.get(DONE, (0, 0))[0], by_state.get(DEAD, (0, 0))[0], size)

    def is_reachable(self) -> bool:
        """Return whether the database answers."""
        try:
            with self.engine.connect() as connection:
                connection.execute(select(1))
        except DATABASE_ERRORS:
            return False
        return True

    def delete_older(self, seconds: float) -> int:
        """Delete the records of traces whose last one is older than `seconds`, judged or not; return how many traces.

        Their test cases and results in runs, which contain the text as well, are deleted too, and so are the texts of
        their feedback; figures of watches, thumbs and scores stay. Feedback texts of that age are deleted with or
        without a trace.
        """
        before = time.time() - seconds
        with self.engine.begin() as connection:
            remove_older_text(connection, before)
        query = select(TRACES.c.trace_id).where(TRACES.c.last_received < before)
        return self._delete_traces(query, keep_figures=True)

    def delete_user(self, user: str) -> int:
        """Delete all data of a user's traces: records, test cases, results, figures, feedback; return how many traces.

        The user's feedback on other traces is deleted as well.
        """
        with self.engine.begin() as connection:
            remove_author(connection, user)
            remove_check(connection, "drift")  # its topics are named by words of users
        query = select(TRACES.c.trace_id).where(TRACES.c.user_hash == digest(user))
        return self._delete_traces(query, keep_figures=False)

    def _delete_traces(self, query: Select[Any], *, keep_figures: bool) -> int:
        count = 0
        while True:
            with self.engine.begin() as connection:
                ids = list(connection.execute(query.limit(_MAX_TRACES_PER_DELETE)).scalars())
                if not ids:
                    return count
                remove_judged(connection, ids, keep_figures=keep_figures)
                (remove_feedback_text if keep_figures else remove_feedback)(connection, ids)
                connection.execute(delete(TRACE_RECORDS).where(TRACE_RECORDS.c.trace_id.in_(ids)))
                count += connection.execute(delete(TRACES).where(TRACES.c.trace_id.in_(ids))).rowcount

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def open_queue(
    where: bool | str | Path | None = None,  # noqa: FBT001  (as users write it)
    redaction: Redaction = Redaction(),  # noqa: B008  (frozen)
) -> TraceQueue:
    """Return the queue of the store at a file or URL; see `open_store`.

    Raises:
        UsageError: it is not a store.
        StoreError: it cannot be opened.
    """
    return TraceQueue(connect(where), redaction)
