"""Records a run from its events: the run, its results, the judge's answers. O(1) per result."""

import json
from collections import OrderedDict
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from time import perf_counter
from typing import Any, cast

from sqlalchemy import Connection, Engine, select, update
from sqlalchemy.exc import SQLAlchemyError

from ragstone.errors import StoreError
from ragstone.event import (
    Answered,
    AnsweringStarted,
    Event,
    JudgeCalled,
    JudgeWaiting,
    MeasurementFinished,
    RowRejected,
    RunFinished,
    RunStarted,
)
from ragstone.run import Run
from ragstone.store.schema.connect import display_name
from ragstone.store.schema.tables import ANSWERS, CASES, EXCHANGES, RESULTS, RUNS, installed_version, now
from ragstone.store.write.aggregates import (
    insert_into,
    insert_run_cases,
    rows_since,
    update_run_cases,
    update_run_metrics,
)
from ragstone.store.write.bulk import Row, insert_rows, placeholders
from ragstone.store.write.lease import Heartbeat, Lease
from ragstone.store.write.rows import (
    answer_row,
    as_json,
    case_row,
    exchange_row,
    result_row,
    run_case_row,
    storable_text,
)
from ragstone.store.write.writer import Writer

_MAX_CACHED_CASE_KEYS = 4096


class Recorder:
    """Records one run. Call it with every event; it ends with the run."""

    def __init__(self, engine: Engine, lease: Lease | None = None) -> None:
        """Record into the database of `engine`, under a new lease unless one is given."""
        self._engine = engine
        self._lease = lease or Lease()
        self._number = 0
        self._start = perf_counter()
        self._seconds = 0.0
        self._rejected: list[str] = []
        self._writer: Writer | None = None
        self._heartbeat: Heartbeat | None = None
        self._connection: Connection | None = None
        self._case_keys: OrderedDict[int, str] = OrderedDict()

    def __call__(self, event: Event) -> None:
        """Record an event. Raises StoreError: results cannot be written, or another process has resumed the run."""
        match event:
            case MeasurementFinished() if self._writer is not None:
                self._writer.add(event)
            case JudgeCalled() if self._writer is not None:
                self._writer.add(event, urgent=event.exchange is not None)
            case Answered() if self._writer is not None:
                self._writer.add(event, urgent=True)
            case AnsweringStarted(run=run):
                self._begin(run, None)
            case RunStarted(run=run, total=total) if self._writer is not None:
                self._go_on(run, total)
            case RunStarted(run=run, total=total):
                self._begin(run, total)
            case RowRejected(message=message):
                self._rejected.append(message)
            case JudgeWaiting() if self._writer is not None:
                self._note_waiting(event)
            case RunFinished(complete=complete, why=why):
                self._end(complete=complete, why=why)
            case _:
                pass

    async def kept(self) -> None:
        """Wait until all events so far are written. Raises StoreError: they cannot be written."""
        if self._writer is not None:
            await self._writer.written()

    def _begin(self, run: Run, total: int | None) -> None:
        self._start = perf_counter()
        with self._engine.begin() as connection:
            connection.execute(insert_into(connection, RUNS).on_conflict_do_nothing(), [run_row(run)])
            c = RUNS.c
            query = select(c.number, c.seconds, c.done, c.total).where(c.id == run.id)
            self._number, self._seconds, done, stored_total = connection.execute(query).one()
        self._lease.begin(self._engine, self._number)
        known_total = stored_total if total is None else total + done
        with self._engine.begin() as connection:
            self._update_run(connection, state="running", why="", total=known_total, heartbeat=now())
        self._writer = Writer(self._write, display_name(self._engine.url))
        self._heartbeat = Heartbeat(self._beat)

    def _go_on(self, run: Run, total: int | None) -> None:
        """Store the plan of a run whose questions are answered: its metrics are those that the answers can feed."""
        known = {} if total is None else {"total": RUNS.c.done + total}
        with self._engine.begin() as connection:
            self._update_run(connection, body=as_json(run), **known)

    def _end(self, *, complete: bool, why: str) -> None:
        if self._writer is None:
            return
        writer, self._writer = self._writer, None
        if self._heartbeat is not None:
            self._heartbeat.stop()
        try:
            writer.close()
        finally:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
        ended = {"state": "complete" if complete else "incomplete", "why": storable_text(why)}
        rejected = storable_text(json.dumps(self._rejected))
        with self._engine.begin() as connection:
            elapsed = {"seconds": self._elapsed(), "heartbeat": now()}
            self._update_run(connection, **ended, **elapsed, rejected=rejected)
            self._lease.give_back(connection, self._number)

    def _note_waiting(self, event: JudgeWaiting) -> None:
        """Say why nothing is measured, for the pages that show the run; a database that is busy loses the note."""
        why = storable_text(event.message) if event.seconds else ""
        with suppress(SQLAlchemyError), self._engine.begin() as connection:
            self._update_run(connection, why=why, heartbeat=now())

    def _elapsed(self) -> float:
        return self._seconds + perf_counter() - self._start

    def _update_run(self, connection: Connection, **values: Any) -> None:  # noqa: ANN401  (columns)
        connection.execute(update(RUNS).where(RUNS.c.number == self._number).values(**values))

    def _beat(self) -> None:
        with self._engine.begin() as connection, suppress(StoreError):  # the next write raises it
            self._lease.extend(connection, self._number, self._elapsed())

    def _write(self, events: Sequence[object]) -> None:
        """Write a batch; rows that exist already are not changed."""
        measured = [event for event in events if isinstance(event, MeasurementFinished)]
        exchanges = [exchange_row(self._number, event) for event in events if isinstance(event, JudgeCalled)]
        answers = [(event, case_row(event.case)) for event in events if isinstance(event, Answered)]
        cases: dict[int, Row] = {}
        keys = [self._case_key(event, cases) for event in measured]
        results = [result_row(self._number, *pair) for pair in zip(measured, keys, strict=True)]
        added = {event.case_index: event.case for event in measured if event.case_index in cases}
        run_cases = [run_case_row(self._number, i, case, cases[i]["key"]) for i, case in added.items()]
        with self._transaction() as connection:
            self._lease.extend(connection, self._number, self._elapsed(), len(results))
            insert_rows(connection, EXCHANGES, exchanges)
            if answers:
                insert_rows(connection, CASES, list({row["key"]: row for _, row in answers}.values()))
                answer_rows = [answer_row(self._number, event, row["key"]) for event, row in answers]
                insert_rows(connection, ANSWERS, answer_rows)
            if results:
                insert_rows(connection, CASES, list({row["key"]: row for row in cases.values()}.values()))
                insert_run_cases(connection, run_cases)
                # The run's row stays locked until the transaction ends.
                sql = placeholders(connection, "SELECT serial FROM runs WHERE number = ?")
                last = int(connection.exec_driver_sql(sql, (self._number,)).scalar_one())
                numbered = enumerate(results, last - len(results) + 1)
                self._insert(connection, [{**row, "serial": serial} for serial, row in numbered])
        self._case_keys |= {index: row["key"] for index, row in cases.items()}
        while len(self._case_keys) > _MAX_CACHED_CASE_KEYS:  # those written last are remembered
            self._case_keys.popitem(last=False)

    @contextmanager
    def _transaction(self) -> Generator[Connection]:
        """Yield the writer's connection, in a transaction; after a failure the next call opens a new one."""
        connection, self._connection = self._connection or self._connect(), None
        try:
            with connection.begin():
                yield connection
        except BaseException:
            connection.close()
            raise
        self._connection = connection

    def _connect(self) -> Connection:
        """Return a new connection; SQLite keeps what it needs to undo a statement in memory, not in the folder /tmp."""
        connection = self._engine.connect()
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA temp_store = MEMORY")
            connection.commit()
        return connection

    def _insert(self, connection: Connection, rows: list[Row]) -> None:
        surplus = len(rows) - insert_rows(connection, RESULTS, rows)
        if surplus:  # the batch was written before, with an unknown outcome
            new = rows_since(connection, self._number, rows[0]["serial"])
            by_index = {(row["case_index"], row["metric_index"]): row for row in reversed(rows)}
            rows = [row for index, row in by_index.items() if index in new]
            self._update_run(connection, done=RUNS.c.done - surplus)
        update_run_cases(connection, self._number, (row["case_index"] for row in rows))
        update_run_metrics(connection, self._number, rows)

    def _case_key(self, event: MeasurementFinished, new: dict[int, Row]) -> str:
        key = self._case_keys.get(event.case_index)
        if key is None:
            row = new.get(event.case_index) or case_row(event.case)
            new[event.case_index] = row
            key = row["key"]
        return cast("str", key)


def run_row(run: Run) -> Row:
    """Return the row of a run in progress."""
    return {
        "id": run.id,
        "name": storable_text(run.plan.name),
        "dataset": storable_text(run.plan.dataset),
        "judge": storable_text(run.plan.judge),
        "tags": storable_text(json.dumps(run.plan.tags, ensure_ascii=False)),
        "started": run.started.isoformat(),
        "state": "running",
        "version": installed_version(),
        "body": as_json(run),
    }
