"""What an input may not do: fail in an unknown way, take long or much memory, connect, read or write elsewhere."""

import os
import re
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from benchmarks.attack.inputs import PLANTED

SECONDS, MEGABYTES = 10, 300
"""The processor time and the memory that one input may take."""

_LONGEST_WAIT = 120
"""Seconds after which an input counts as endless, although it takes no processor time."""

Attempt = tuple[str, Any]
"""What was tried, and a function that tries it."""

_LOCAL = re.compile(r"127(\.\d+){3}|::1|localhost")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_CHANGES = frozenset(
    {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate"}
)
_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class Endless(BaseException):
    """One input took too long."""


class Watch:
    """Watches this process: everything that is opened, connected to or written, from `start` on."""

    def __init__(self, folder: Path) -> None:
        """Allow changes below `folder` only."""
        self._folder = str(folder.resolve())
        self._seen: list[str] = []
        self._measuring = _RESET.exists()

    def start(self) -> None:
        """Begin to watch; it cannot be ended."""
        sys.addaudithook(self._event)
        for number in (signal.SIGALRM, signal.SIGPROF):
            signal.signal(number, _too_long)

    def problem(self, attempt: Attempt) -> str:
        """Return the problem that an attempt shows; empty if it ends as expected."""
        before = self._memory()
        found = _failure(attempt)
        taken = self._memory(peak=True) - before
        if self._seen:
            found, self._seen[:] = self._seen[0], []
        return found or (f"took {taken:.0f} MB" if taken > MEGABYTES else "")

    def _memory(self, *, peak: bool = False) -> float:
        """Return the memory of this process now, or the most since the last call without `peak`, in megabytes."""
        if not self._measuring:
            return 0.0
        if not peak:
            _RESET.write_text("5")
        name = "VmHWM" if peak else "VmRSS"
        return next(
            int(line.split()[1]) / 1000 for line in _STATUS.read_text().splitlines() if line.startswith(name)
        )

    def _event(self, event: str, given: tuple[Any, ...]) -> None:
        if event in {"open", "import"} and "planted" in str(given[0]):
            self._seen.append(f"opened {given[0]} (such as {PLANTED})")
        elif event == "open" and isinstance(given[2], int) and given[2] & _WRITING:
            self._check_path("wrote", given[0])
        elif event in _CHANGES:
            self._check_path("changed", given[0])
        elif event in {"socket.connect", "socket.sendto"}:
            self._check_host(given[1])
        elif event in {"socket.getaddrinfo", "socket.gethostbyname"}:
            self._check_host((given[0],))

    def _check_path(self, verb: str, path: object) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            return  # a descriptor that is open already
        found = os.path.realpath(os.fsdecode(path))
        if not found.startswith((self._folder, "/dev/", "/proc/")):
            self._refuse(f"{verb} {found}")

    def _check_host(self, address: object) -> None:
        host = address[0] if isinstance(address, tuple) and address else None  # pyright: ignore[reportUnknownVariableType]
        if host is not None and not _LOCAL.fullmatch(host.decode() if isinstance(host, bytes) else str(host)):  # pyright: ignore[reportUnknownArgumentType]
            self._refuse(f"connected to {host}")

    def _refuse(self, problem: str) -> None:
        """Keep a problem, and prevent it."""
        self._seen.append(problem)
        raise PermissionError(problem)


def _failure(attempt: Attempt) -> str:
    signal.alarm(_LONGEST_WAIT)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        attempt[1]()
    except Endless:
        return f"took more than {SECONDS} s"
    except Exception as error:  # noqa: BLE001  (that is the finding)
        return f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
        signal.setitimer(signal.ITIMER_PROF, 0)
    return ""


def _too_long(_: int, __: FrameType | None) -> None:
    raise Endless
