"""A temporary PostgreSQL server in an empty folder, on a free port of loopback."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PROGRAMS = ("initdb", "pg_ctl")
USERS = ("postgres", "nobody")
"""Users under which the server is started if this process is root, because the server refuses to run as root."""


def available() -> bool:
    """Return whether PostgreSQL is installed."""
    return all(shutil.which(program) for program in PROGRAMS)


class Database:
    """A PostgreSQL server on loopback, which can crash and be started again.

    Attributes:
        url: the URL of its database.
    """

    def __init__(self, folder: Path, port: int) -> None:
        self.url = f"postgresql://ragstone@127.0.0.1:{port}/postgres"
        self._data, self._log = folder / "data", folder / "log"
        self._options = f"-F -N 300 -h 127.0.0.1 -p {port} -k {folder}"
        _own(folder)
        _run("initdb", "-D", str(self._data), "-U", "ragstone", "-A", "trust", "-N")

    def start(self) -> None:
        """Start the server, after a crash too, and wait until it accepts connections."""
        try:
            _run("pg_ctl", "-D", str(self._data), "-l", str(self._log), "-o", self._options, "-w", "start")
        except RuntimeError as error:
            raise RuntimeError(f"{error}\n{self._log.read_text()[-1000:]}") from None

    def crash(self) -> None:
        """Kill the server's processes with SIGKILL, the main one first; every connection breaks."""
        number = int((self._data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{number}/task/{number}/children").read_text().split()
        for process in (number, *map(int, children)):
            with suppress(ProcessLookupError):  # a child may exit before it is killed
                os.kill(process, signal.SIGKILL)
        while any(_runs(process) for process in (number, *map(int, children))):
            time.sleep(0.01)
        # If zombies are not reaped, the process id in the lock file would look like a running server.
        for lock in (self._data / "postmaster.pid", *self._data.parent.glob(".s.PGSQL.*.lock")):
            lock.unlink(missing_ok=True)

    def stop(self) -> None:
        """Stop the server."""
        _run("pg_ctl", "-D", str(self._data), "-m", "immediate", "stop")


@contextmanager
def database() -> Iterator[Database]:
    """Run a temporary server."""
    with tempfile.TemporaryDirectory(prefix="ragstone-postgres-") as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        server = Database(Path(folder), port)
        server.start()
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def postgres() -> Iterator[str]:
    """Run a server; yield the URL of an empty database."""
    with database() as server:
        yield server.url


def _runs(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def _own(folder: Path) -> None:
    if os.geteuid() == 0:
        user = pwd.getpwnam(_user())
        os.chown(folder, user.pw_uid, user.pw_gid)


def _user() -> str:
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(user for user in USERS if user in known)


def _run(*command: str) -> None:
    done = subprocess.run(
        command,
        check=False,
        user=_user() if os.geteuid() == 0 else None,
        cwd="/",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stderr}")
