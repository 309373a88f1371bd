"""Listens to a run and keeps what it hears: the run, its results, what the judge answered. O(1) a result."""

import json
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter
from typing import Any

from sqlalchemy import Connection, Engine, Table, select, update
from sqlalchemy.dialects import postgresql, sqlite

from ragstone.event import Asked, Event, Measured, Rejected, RunFinished, RunStarted
from ragstone.run import Run
from ragstone.store._connect import shown
from ragstone.store._rows import Row, as_json, case_row, exchange_row, plain, result_row
from ragstone.store._tables import CASES, EXCHANGES, RESULTS, RUNS
from ragstone.store._writer import Writer

_CASES_REMEMBERED = 4096


class Recorder:
    """Keeps one run. Call it with every event; it ends with the run."""

    def __init__(self, engine: Engine) -> None:
        """Keep the run in the database of `engine`."""
        self._engine = engine
        self._number = 0
        self._start = perf_counter()
        self._seconds = 0.0
        self._rejected: list[str] = []
        self._writer: Writer | None = None
        self._case_keys: OrderedDict[int, str] = OrderedDict()

    def __call__(self, event: Event) -> None:
        """Take in an event.

        Raises:
            StoreError: results cannot be kept.
        """
        match event:
            case Measured() if self._writer is not None:
                self._writer.add(event)
            case Asked() if self._writer is not None and event.exchange is not None:
                self._writer.add(event, urgent=True)
            case RunStarted(run=run):
                self._begin(run)
            case Rejected(message=message):
                self._rejected.append(message)
            case RunFinished(complete=complete, why=why):
                self._end(complete=complete, why=why)
            case _:
                pass

    async def kept(self) -> None:
        """Wait until all that was heard so far is kept.

        Raises:
            StoreError: it cannot be.
        """
        if self._writer is not None:
            await self._writer.written()

    def _begin(self, run: Run) -> None:
        self._start = perf_counter()
        with self._engine.begin() as connection:
            connection.execute(_new(connection, RUNS), [_run_row(run)])
            found = connection.execute(select(RUNS.c.number, RUNS.c.seconds).where(RUNS.c.id == run.id)).one()
            self._number, self._seconds = found
            self._note(connection, state="running", why="")
        self._writer = Writer(self._write, shown(self._engine.url))

    def _end(self, *, complete: bool, why: str) -> None:
        if self._writer is None:
            return
        writer, self._writer = self._writer, None
        writer.close()
        with self._engine.begin() as connection:
            self._note(
                connection,
                state="complete" if complete else "incomplete",
                why=plain(why),
                seconds=self._seconds + perf_counter() - self._start,
                rejected=plain(json.dumps(self._rejected)),
            )

    def _note(self, connection: Connection, **values: Any) -> None:  # noqa: ANN401  (columns)
        connection.execute(update(RUNS).where(RUNS.c.number == self._number).values(**values))

    def _write(self, events: Sequence[object]) -> None:
        """Write a batch; what is there already stays as it is, but for errors, which give way to what came later."""
        cases: dict[str, Row] = {}
        results: list[Row] = []
        exchanges: list[Row] = []
        for event in events:
            if isinstance(event, Measured):
                results.append(result_row(self._number, event, self._case_key(event, cases)))
            elif isinstance(event, Asked):
                row = exchange_row(self._number, event)
                if row is not None:
                    exchanges.append(row)
        with self._engine.begin() as connection:
            for insert, rows in (
                (_new(connection, CASES), list(cases.values())),
                (_new(connection, EXCHANGES), exchanges),
                (_better(connection), results),
            ):
                if rows:
                    connection.execute(insert, rows)

    def _case_key(self, event: Measured, new: dict[str, Row]) -> str:
        """Return the key of a test case; the metrics of one come close together, so that it is made once."""
        key = self._case_keys.get(event.case_index)
        if key is None:
            row = case_row(event.case)
            key = self._case_keys[event.case_index] = row["key"]
            new[key] = row
            if len(self._case_keys) > _CASES_REMEMBERED:
                self._case_keys.popitem(last=False)
        return key


def _new(connection: Connection, table: Table) -> Any:  # noqa: ANN401  (an insert of either dialect)
    """Return an insert that leaves alone what is there already."""
    return _insert(connection, table).on_conflict_do_nothing()


def _better(connection: Connection) -> Any:  # noqa: ANN401  (likewise)
    """Return an insert of results that takes the place of errors, of nothing else."""
    insert = _insert(connection, RESULTS)
    places = list(RESULTS.primary_key)
    later = {column.name: insert.excluded[column.name] for column in RESULTS.c if column not in places}
    return insert.on_conflict_do_update(index_elements=places, set_=later, where=RESULTS.c.status == "ERROR")


def _insert(connection: Connection, table: Table) -> Any:  # noqa: ANN401  (likewise)
    return (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)


def _run_row(run: Run) -> Row:
    return {
        "id": run.id,
        "name": plain(run.plan.name),
        "dataset": plain(run.plan.dataset),
        "judge": plain(run.plan.judge),
        "started": run.started.isoformat(),
        "state": "running",
        "version": _version(),
        "body": as_json(run),
    }


def _version() -> str:
    with suppress(PackageNotFoundError):
        return version("ragstone")
    return "unknown"
