"""One thread for numpy while the embedded judge runs in a process that also runs other code.

numpy's matrix products start a thread for each core. Those of the judge are small: two threads take 1.4 times the CPU
time of one, and several times as much if the cores are busy, since each waits for the others in a loop. A longer run
uses a process for each core instead, and each process has one thread from its start. With one thread, a verdict also
does not depend on the number of cores, not even in the last digit.

numpy has no setting for this, but OpenBLAS, which its wheels contain, has one. With another library, nothing is
changed.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import Lock
from typing import NamedTuple

_FUNCTIONS = ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads")
"""Names of the functions in numpy's wheels, in older wheels, and in the packages of distributions."""


class ThreadCount(NamedTuple):
    """Access to the number of threads of OpenBLAS, which applies to the whole process.

    Attributes:
        get: returns the number.
        set: changes the number.
    """

    get: Callable[[], int]
    set: Callable[[int], object]


@cache
def thread_count() -> ThreadCount | None:
    """Return access to the number of threads of numpy's matrix products; None if OpenBLAS does not compute them."""
    import ctypes  # noqa: PLC0415  (not needed by a command without a judge)

    try:
        library = ctypes.CDLL(import_module("numpy._core._multiarray_umath").__file__)
    except (ImportError, OSError):
        return None
    for name in _FUNCTIONS:
        if hasattr(library, name.format("set")):
            return ThreadCount(getattr(library, name.format("get")), getattr(library, name.format("set")))
    return None


class _SingleThreadSetting:
    """Sets one thread while it has users; after the last one, the previous number is restored."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0
        self._previous_count = 0

    def enter(self, count: ThreadCount) -> None:
        """Add a user; the first one sets one thread."""
        with self._lock:
            if not self._users:
                self._previous_count = count.get()
                count.set(1)
            self._users += 1

    def leave(self, count: ThreadCount) -> None:
        """Remove a user; the last one restores the previous number."""
        with self._lock:
            self._users -= 1
            if not self._users:
                count.set(self._previous_count)


_SETTING = _SingleThreadSetting()


@contextmanager
def one_numpy_thread() -> Generator[None]:
    """Let numpy's matrix products use one thread inside the block, in the whole process."""
    count = thread_count()
    if count is None:
        yield
        return
    _SETTING.enter(count)
    try:
        yield
    finally:
        _SETTING.leave(count)
