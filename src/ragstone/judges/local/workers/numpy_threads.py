"""One thread for numpy while the embedded judge works in a process that it shares with others.

numpy's matrix products start a thread for each core. Those of the judge are small: two threads take 1.4 times the
processor time of one, several times as much where the cores are busy, since each waits for the others in a loop. A run
of some length has a process for each core instead, and each of those has one thread from its start. A verdict does not
depend on the number of cores either, not in the last digit.

numpy cannot be told; OpenBLAS, which its wheels contain, can. With another library its threads stay as they are.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import Lock
from typing import NamedTuple

_FUNCTIONS = ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads")
"""Of numpy's wheels, of older ones, of distributions."""


class ThreadCount(NamedTuple):
    """The number of threads of OpenBLAS: it holds for the whole process.

    Attributes:
        get: returns it.
        set: changes it.
    """

    get: Callable[[], int]
    set: Callable[[int], object]


@cache
def thread_count() -> ThreadCount | None:
    """Return the number of threads that numpy's products use; None where it is not OpenBLAS that computes them."""
    import ctypes  # noqa: PLC0415  (a command that judges nothing does without)

    try:
        library = ctypes.CDLL(import_module("numpy._core._multiarray_umath").__file__)
    except (ImportError, OSError):
        return None
    for name in _FUNCTIONS:
        if hasattr(library, name.format("set")):
            return ThreadCount(getattr(library, name.format("get")), getattr(library, name.format("set")))
    return None


class _SharedSetting:
    """One thread for as long as anybody wants it; then as many as before."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._users = 0
        self._before = 0

    def enter(self, count: ThreadCount) -> None:
        """Have one thread from now on."""
        with self._lock:
            if not self._users:
                self._before = count.get()
                count.set(1)
            self._users += 1

    def leave(self, count: ThreadCount) -> None:
        """Have as many as before if nobody else wants one."""
        with self._lock:
            self._users -= 1
            if not self._users:
                count.set(self._before)


_SETTING = _SharedSetting()


@contextmanager
def one_numpy_thread() -> Generator[None]:
    """Let numpy's matrix products use one thread inside of the block, in the whole process."""
    count = thread_count()
    if count is None:
        yield
        return
    _SETTING.enter(count)
    try:
        yield
    finally:
        _SETTING.leave(count)
