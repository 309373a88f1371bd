"""A PostgreSQL server of one's own for a while: in an empty folder, on a free port of loopback, gone afterwards."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAMS = ("initdb", "pg_ctl")
USERS = ("postgres", "nobody")
"""As whom the server runs where we are root, which it refuses to be."""


def available() -> bool:
    """Tell whether PostgreSQL is installed."""
    return all(shutil.which(program) for program in PROGRAMS)


@contextmanager
def postgres() -> Iterator[str]:
    """Run a server; yield the URL of an empty database."""
    with tempfile.TemporaryDirectory(prefix="ragstone-postgres-") as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        data, log = Path(folder, "data"), Path(folder, "log")
        _own(Path(folder))
        _run("initdb", "-D", str(data), "-U", "ragstone", "-A", "trust", "-N")
        options = f"-F -h 127.0.0.1 -p {port} -k {folder}"
        _run("pg_ctl", "-D", str(data), "-l", str(log), "-o", options, "-w", "start")
        try:
            yield f"postgresql://ragstone@127.0.0.1:{port}/postgres"
        finally:
            _run("pg_ctl", "-D", str(data), "-m", "immediate", "stop")


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
