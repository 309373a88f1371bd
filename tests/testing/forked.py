"""Processes that a fork server starts: each pytest process has one, begun when it is first needed."""

import os
import socket
import subprocess
import sys
import tempfile
from atexit import register
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[2]


@cache
def _server() -> str:
    """Start a server; return where it listens."""
    folder = tempfile.TemporaryDirectory(prefix="ragstone-forks-")
    place = str(Path(folder.name, "socket"))
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")))
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.testing.fork_server", place, "tests.testing.preloaded"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path, "PYDANTIC_DISABLE_PLUGINS": "1"},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"

    def end() -> None:
        process.communicate()
        folder.cleanup()

    register(end)
    return place


def run(
    argv: Sequence[str], *, cwd: str | Path | None = None, env: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    """Run a script, or `-m` and a module, as `subprocess.run` would with its output captured."""
    request = ascii((list(argv), str(Path(cwd or Path.cwd()).resolve()), dict(env))).encode() + b"\n"
    with (
        socket.socket(socket.AF_UNIX) as server,
        Path(os.devnull).open("rb") as nothing,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        server.connect(_server())
        sent = socket.send_fds(server, [request], [nothing.fileno(), out.fileno(), err.fileno()])
        server.sendall(request[sent:])
        code = int(server.recv(99))
        said = [_text(file) for file in (out, err)]
    return subprocess.CompletedProcess(list(argv), code, *said)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode().replace("\r\n", "\n")
