"""The lease on a run: one process at a time writes to it.

The heartbeat extends the lease while the run goes on. Another process that wants to resume the run is refused while the
owner is alive, and takes over when the lease has ended. An owner on the same machine that no longer exists loses it at
once. A process that lost the lease, because it was suspended for a while, cannot write any more. A heartbeat comes
every two seconds, also while the judge is slow: a run that is called `running` without a recent one was killed, and is
shown as `silent`.
"""

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from time import sleep, time
from uuid import uuid4

from sqlalchemy import Connection, Engine, or_, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from ragstone.errors import RunInUse, StoreError
from ragstone.store.schema.tables import RUNS, now
from ragstone.store.write.bulk import placeholders

DURATION = 8.0  # seconds that a lease lasts without being extended
EVERY = 2.0  # seconds between two heartbeats
_POLL_SECONDS = 0.5
_DATABASE_CLOCK = "extract(epoch FROM clock_timestamp()) + "
_EXTEND_SQL = (  # for each batch: SQLAlchemy takes longer to make such a statement than SQLite to run it
    "UPDATE runs SET lease_until = {clock}?, heartbeat = ?, seconds = ?, serial = serial + ?, done = done + ? "
    "WHERE number = ? AND lease_owner = ?"
)
_WRITING_OWNERS: set[str] = set()
"""The owners in this process that write: an owner that failed before it began to write does not block others."""


class Lease:
    """Takes, extends and returns the lease of one run at a time."""

    def __init__(self) -> None:
        """Start without a lease."""
        self.owner = f"{_machine_id()}:{os.getpid()}:{uuid4().hex}"

    def begin(self, engine: Engine, number: int) -> None:
        """Take the lease in order to write. Raises RunInUse: its owner is alive."""
        _WRITING_OWNERS.add(self.owner)
        try:
            self.take(engine, number)
        except BaseException:
            _WRITING_OWNERS.discard(self.owner)
            raise

    def take(self, engine: Engine, number: int) -> None:
        """Take the lease on the run of that number; if its owner shows no sign of life, wait until the lease ends.

        Raises:
            RunInUse: its owner is alive.
        """
        last_until: float | None = None
        while True:
            with engine.begin() as connection:
                if self.try_take(connection, number):
                    return
                c = RUNS.c
                query = select(c.id, c.lease_owner, c.lease_until).where(c.number == number)
                row = connection.execute(query).first()
            if row is None:
                raise StoreError(f"The run {number} is no longer in the store.")
            if _writes_here(row.lease_owner) or (last_until is not None and row.lease_until > last_until):
                raise RunInUse(
                    f"The run {row.id} is running in another process ({_describe_owner(row.lease_owner)}): wait "
                    "until it ends, or stop it, then resume."
                )
            last_until = row.lease_until
            sleep(_POLL_SECONDS)

    def try_take(self, connection: Connection, number: int) -> bool:
        """Take or extend the lease unless another owner has it; return whether it is ours."""
        c, clock = RUNS.c, _now(connection)
        query = select(c.lease_owner).where(c.number == number)
        holder = connection.execute(query).scalar() or ""
        conditions = [c.lease_owner.in_(("", self.owner)), c.lease_until < clock]
        if holder and _writes_here(holder) is False:
            conditions.append(c.lease_owner == holder)
        statement = update(RUNS).where(c.number == number, or_(*conditions))
        values = {"lease_owner": self.owner, "lease_until": clock + DURATION}
        return connection.execute(statement.values(**values)).rowcount > 0

    def extend(self, connection: Connection, number: int, seconds: float, results: int = 0) -> None:
        """Extend the lease, and update heartbeat, duration and counts in the run's row.

        `seconds` is how long the run has taken; `results` how many are about to be written: they get serial numbers.

        Raises:
            StoreError: another process has the lease.
        """
        sqlite = connection.dialect.name == "sqlite"
        until = time() + DURATION if sqlite else DURATION
        sql = placeholders(connection, _EXTEND_SQL.format(clock="" if sqlite else _DATABASE_CLOCK))
        parameters = (until, now(), seconds, results, results, number, self.owner)
        if not connection.exec_driver_sql(sql, parameters).rowcount:
            raise StoreError(
                "Another process has resumed the run, because this one sent no heartbeat for "
                f"{DURATION:g} s. The results that this one had written are kept."
            )

    def give_back(self, connection: Connection, number: int) -> None:
        """End the lease, if it is ours."""
        _WRITING_OWNERS.discard(self.owner)
        c = RUNS.c
        statement = update(RUNS).where(c.number == number, c.lease_owner == self.owner)
        connection.execute(statement.values(lease_owner="", lease_until=0.0))


def _now(connection: Connection) -> float:
    """Return the time of the database's machine, because the clocks of clients may differ."""
    if connection.dialect.name == "sqlite":
        return time()
    return float(connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())


def _machine_id() -> str:
    """Return the machine, and on Linux the container: process ids mean something only within one."""
    try:
        namespace = Path("/proc/self/ns/pid").readlink().name
    except OSError:
        namespace = ""
    return f"{socket.gethostname()}/{namespace}"


def _writes_here(owner: str) -> bool | None:
    """Return whether an owner on this machine writes, or may do so; None for one on another machine."""
    machine, process = _parse_owner(owner)
    return _process_exists(process, owner) if machine == _machine_id() else None


def _parse_owner(owner: str) -> tuple[str, int]:
    """Return machine and process id; an empty name and 0 for a text that is not an owner."""
    machine, _, process = owner.rpartition(":")[0].rpartition(":")
    return (machine, int(process)) if process.isdigit() else ("", 0)


def _process_exists(process: int, owner: str) -> bool:
    if process == os.getpid():
        return owner in _WRITING_OWNERS
    if os.name == "nt":  # on Windows signal 0 would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _describe_owner(owner: str) -> str:
    machine, process = _parse_owner(owner)
    return f"process {process} on {machine.partition('/')[0]}"


class Heartbeat:
    """Calls a function at intervals, until it is stopped."""

    def __init__(self, beat: Callable[[], None]) -> None:
        """Call `beat` from a thread; a database error is ignored until the next time."""
        self._beat = beat
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="ragstone-heartbeat", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(EVERY):
            with suppress(SQLAlchemyError):
                self._beat()
