"""Baselines: names such as `main` for runs that others are compared with."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Engine, delete, select

from ragstone.errors import NotInStore, UsageError
from ragstone.store.schema.tables import BASELINES, RUNS, now
from ragstone.store.write.aggregates import insert_into
from ragstone.store.write.rows import storable_text

LONGEST = 200


class Baseline(NamedTuple):
    """A named run.

    Attributes:
        name: the name.
        run: id of the run.
        since: when the name was given to this run, UTC.
    """

    name: str
    run: str
    since: datetime


class Baselines:
    """The baselines of a store."""

    def __init__(self, engine: Engine) -> None:
        """Use the database of `engine`."""
        self._engine = engine

    def put(self, name: str, run: int) -> None:
        """Make the run of that number the baseline of that name.

        Raises:
            UsageError: the name is empty or too long.
        """
        name = storable_text(name.strip())
        if not 0 < len(name) <= LONGEST:
            raise UsageError(f"{name[:40]!r} is not a valid baseline name: give 1 to {LONGEST} characters")
        with self._engine.begin() as connection:
            statement = insert_into(connection, BASELINES)
            updates = {column: statement.excluded[column] for column in ("run", "since")}
            statement = statement.on_conflict_do_update(index_elements=["name"], set_=updates)
            connection.execute(statement, [{"name": name, "run": run, "since": now()}])

    def remove(self, name: str) -> bool:
        """Delete a baseline, not its run; return whether there was one."""
        with self._engine.begin() as connection:
            return connection.execute(delete(BASELINES).where(BASELINES.c.name == name)).rowcount > 0

    def all(self) -> list[Baseline]:
        """Return the baselines by name."""
        query = select(BASELINES.c.name, RUNS.c.id, BASELINES.c.since).join(
            RUNS, RUNS.c.number == BASELINES.c.run
        )
        with self._engine.connect() as connection:
            rows = connection.execute(query.order_by(BASELINES.c.name))
            return [Baseline(name, run, datetime.fromisoformat(since)) for name, run, since in rows]

    def run(self, name: str) -> str:
        """Return the id of a baseline's run.

        Raises:
            UsageError: there is no such baseline.
        """
        runs = {baseline.name: baseline.run for baseline in self.all()}
        if name not in runs:
            names = ", ".join(runs) or "none yet"
            raise NotInStore(f"There is no baseline {name!r}. Existing baselines: {names}.")
        return runs[name]
