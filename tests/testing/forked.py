"""Processes that a fork server starts: one for all processes of a session, or one that begins when it is needed."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from atexit import register
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import IO, Any, Self

from tests.testing.shared import fork_server

ROOT = Path(__file__).parents[2]
_CLIENT = """#!{python} -IS
import _socket, os, sys
server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect({place!r})
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
request = ascii(([{script!r}, *sys.argv[1:]], os.getcwd(), dict(os.environ))).encode() + b"\\n"
sent = server.sendmsg([request], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
server.sendall(request[sent:])
answer = b""
while answer.count(b"\\n") < 2:
    answer += server.recv(99) or b" 255\\n" * 2
sys.exit(int(answer.split()[1]))
"""


def begin(place: Path) -> "subprocess.Popen[bytes]":
    """Start a server that will listen at a place, and that ends when its standard input does."""
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")))
    return subprocess.Popen(
        [sys.executable, "-m", "tests.testing.fork_server", str(place), "tests.testing.preloaded"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path, "PYDANTIC_DISABLE_PLUGINS": "1"},
    )


@cache
def _server() -> str:
    """Return where a server listens: the one that is shared, or one of this process's own."""
    shared = fork_server()
    if shared is not None:
        return shared
    folder = tempfile.TemporaryDirectory(prefix="ragstone-forks-")
    place = Path(folder.name, "socket")
    process = begin(place)

    def end() -> None:
        process.communicate()
        folder.cleanup()

    register(end)
    while not place.exists():
        assert process.poll() is None, "the fork server ended before it listened"
        time.sleep(0.02)
    return str(place)


class ForkedProcess:
    """A process that the fork server starts, used as one of `subprocess.Popen`; it ends with this object.

    Attributes:
        pid: its number.
        stdout: what it prints, where that is piped.
        stderr: likewise.
        returncode: its exit code, or a signal's number below 0, once it is known to have ended.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: str | Path | None = None,
        env: Mapping[str, str],
        stdout: int | IO[Any] = subprocess.DEVNULL,
        stderr: int | IO[Any] = subprocess.DEVNULL,
    ) -> None:
        """Start a script, or `-m` and a module."""
        self._argv = list(argv)
        self.returncode: int | None = None
        folder = str(Path(cwd or Path.cwd()).resolve())
        request = ascii((self._argv, folder, dict(env))).encode() + b"\n"
        self._server = socket.socket(socket.AF_UNIX)
        self._server.connect(_server())
        with ExitStack() as opened:
            nothing = opened.enter_context(Path(os.devnull).open("r+b"))
            self.stdout, out = _stream(stdout, nothing, opened)
            self.stderr, err = _stream(stderr, nothing, opened)
            sent = socket.send_fds(self._server, [request], [nothing.fileno(), out, err])
            self._server.sendall(request[sent:])
        self._answer = b""
        while b"\n" not in self._answer:
            self._answer += self._heard()
        number, _, self._answer = self._answer.partition(b"\n")
        self.pid = int(number)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; return the exit code."""
        if self.returncode is not None:
            return self.returncode
        self._server.settimeout(timeout)
        try:
            while not self._answer.endswith(b"\n"):
                self._answer += self._heard()
        except TimeoutError:
            raise subprocess.TimeoutExpired(self._argv, timeout or 0.0) from None
        self._server.close()
        self.returncode = int(self._answer)
        return self.returncode

    def poll(self) -> int | None:
        """Return the exit code, None while it runs."""
        with suppress(BlockingIOError):
            return self.wait(0.0)
        return None

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait for its end, then return what else it printed."""
        with ThreadPoolExecutor(2) as readers:
            said = [readers.submit(stream.read) for stream in (self.stdout, self.stderr) if stream]
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
            texts = iter([each.result() for each in said])
        self._close()
        return next(texts) if self.stdout else "", next(texts) if self.stderr else ""

    def _heard(self) -> bytes:
        found = self._server.recv(99)
        if not found:
            raise ConnectionError(f"the fork server ended while it ran {self._argv}")
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()
        self._close()

    def _close(self) -> None:
        for stream in (self.stdout, self.stderr):
            if stream:
                stream.close()


def _stream(wanted: int | IO[Any], nothing: IO[Any], opened: ExitStack) -> tuple[IO[str] | None, int]:
    """Return a stream to read where a pipe is wanted, and the descriptor that the process writes to."""
    if wanted == subprocess.PIPE:
        reading, writing = os.pipe()
        opened.callback(os.close, writing)
        return os.fdopen(reading, encoding="utf-8"), writing
    return None, (nothing if isinstance(wanted, int) else wanted).fileno()


def run(
    argv: Sequence[str], *, cwd: str | Path | None = None, env: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    """Run a script, or `-m` and a module, as `subprocess.run` would with its output captured."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with ForkedProcess(argv, cwd=cwd, env=env, stdout=out, stderr=err) as process:
            code = process.wait()
        said = [_text(file) for file in (out, err)]
    return subprocess.CompletedProcess(list(argv), code, *said)


def write_clients(folder: Path) -> None:
    """Write programs `ragstone` and `pytest` into a folder, for shells: forked processes do what they are asked."""
    for name in ("ragstone", "pytest"):
        path, script = folder / name, str(Path(sys.executable).with_name(name))
        path.write_text(_CLIENT.format(python=sys.executable, place=_server(), script=script))
        path.chmod(0o755)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode().replace("\r\n", "\n")
