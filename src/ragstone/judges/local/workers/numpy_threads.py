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
    """Returns and sets the number of threads of OpenBLAS, which applies to the whole process."""

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


_LOCK = Lock()
_previous_counts: list[int] = []
"""The number of threads before each user that has one thread now; the first is restored after the last user."""


@contextmanager
def one_numpy_thread() -> Generator[None]:
    """Let numpy's matrix products use one thread inside the block, in the whole process."""
    count = thread_count()
    if count is None:
        yield
        return
    with _LOCK:
        _previous_counts.append(count.get())
        if len(_previous_counts) == 1:
            count.set(1)
    try:
        yield
    finally:
        with _LOCK:
            previous = _previous_counts.pop()
            if not _previous_counts:
                count.set(previous)
