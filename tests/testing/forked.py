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
RAGSTONE = str(Path(sys.executable).with_name("ragstone"))
_CLIENT = """#!{python} -IS
import _socket, os, sys
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect({place!r})
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
request = ascii(([{script!r}, *sys.argv[1:]], os.getcwd(), dict(os.environ))).encode() + b"\\n"
sent = server.sendmsg([request], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
server.sendall(request[sent:])
sys.exit(int(server.recv(99) or 255))
"""


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


def write_client(folder: Path) -> Path:
    """Write a program `ragstone` into a folder, for shells: what it is asked to do, a forked process does."""
    path = folder / "ragstone"
    path.write_text(_CLIENT.format(python=sys.executable, place=_server(), script=RAGSTONE))
    path.chmod(0o755)
    return path


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode().replace("\r\n", "\n")
