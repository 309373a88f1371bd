"""What the processes of a session share: the fork server and PostgreSQL, begun while the tests are collected.

Each process of pytest-xdist had its own, which took 10 s of CPU to begin.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

import pytest
from benchmarks.postgres import available

_FOLDER = "TESTS_SHARED"
"""Names the folder in which the processes look for what is shared."""
_PATIENCE = 240.0


def begin(config: pytest.Config) -> None:
    """Begin what is shared, in the process that starts the others; end it with that process's session."""
    if "PYTEST_XDIST_WORKER" in os.environ or not config.getoption("numprocesses", None):
        return
    if config.args != config.getini("testpaths"):
        return
    from tests.testing import forked  # noqa: PLC0415  (asks this module for a server)

    shared = ExitStack()
    folder = shared.enter_context(TemporaryDirectory(prefix="ragstone-shared-"))
    os.environ[_FOLDER] = folder
    ended, threads = Event(), shared.enter_context(ThreadPoolExecutor(1))
    threads.submit(_serve_postgres, Path(folder), ended)
    shared.callback(ended.set)
    shared.callback(forked.begin(Path(folder, "forks")).communicate)
    config.add_cleanup(shared.close)


def _serve_postgres(folder: Path, ended: Event) -> None:
    from tests.store.databases import postgres_with_empty_store  # noqa: PLC0415  (asks this module for a server)

    if available():
        with postgres_with_empty_store() as url:
            written = folder / "postgres.part"
            written.write_text(url)
            written.rename(folder / "postgres")
            ended.wait()


def fork_server() -> str | None:
    """Return where the shared fork server listens; None where each process has its own."""
    return None if _FOLDER not in os.environ else str(_awaited("forks"))


def postgres_server() -> str | None:
    """Return the URL of the shared PostgreSQL; None where each process has its own."""
    return None if _FOLDER not in os.environ else _awaited("postgres").read_text()


def _awaited(name: str) -> Path:
    path, end = Path(os.environ[_FOLDER], name), time.monotonic() + _PATIENCE
    while not path.exists():
        assert time.monotonic() < end, f"{path} does not come"
        time.sleep(0.05)
    return path
