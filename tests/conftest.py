"""What every test can rely on."""

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.servers.fixtures import openai_server  # noqa: F401  (pytest finds fixtures by name in a conftest)
from tests.store.databases import postgres_url, store_url  # noqa: F401  (likewise)
from tests.testing import encoded_pairs, late_collection, no_workers, shared
from tests.testing.few_resamples import few_resamples  # noqa: F401  (likewise)
from tests.testing.project import lines, project  # noqa: F401  (likewise)

# No test keeps its runs in the home of whoever runs the tests: those about keeping them say where.
os.environ.setdefault("RAGSTONE_STORE", "false")
_DATA = tempfile.TemporaryDirectory(prefix="ragstone-tests-")
os.environ["XDG_DATA_HOME"] = _DATA.name

# The embedded judge answers in the process of the command, as in that of the test (`no_workers`, below).
os.environ.setdefault("RAGSTONE_WORKERS", "1")

# One thread for linear algebra: on cores that the other processes keep busy, a second one waits in a loop, which took
# two thirds of what the embedded judge's encoder cost. numpy reads this when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Else each of the hundreds of processes that tests start would compile every module that it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

encoded_pairs.share()
no_workers.start_none()

# A deadline is a timed assertion: on a busy machine it fails whatever the code does.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

os.environ.pop("GITHUB_STEP_SUMMARY", None)  # what tests find out is not a summary of the job that runs them

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background by a shell, we were told to ignore Ctrl-C, and so would every process we start.
    signal.signal(signal.SIGINT, signal.default_int_handler)


_DEAREST = (
    "docs/test_examples.py", "real_model/", "stats/test_coverage.py", "judges/local/test_connections.py",
    "dashboard/test_accessible.py", "judges/local/test_growth.py", "docs/test_site.py", "acceptance/",
    "benchmarks/test_sections.py", "store/read/test_resume.py", "findings/comparison/test_one_story.py",
    "dashboard/routes/", "runner/distributed/test_ray_engine.py", "dashboard/test_api.py", "audit/test_agree.py",
    "dashboard/test_live.py", "judges/local/", "test_main.py", "test_permissions.py", "dashboard/test_hostile_texts.py",
    "runner/test_batches_over_the_wire.py", "benchmarks/", "cli/test_batches.py", "dashboard/test_keyboard.py",
    "watch/test_killed.py", "test_pytest_plugin.py", "dashboard/", "cli/", "watch/", "audit/",
)  # fmt: skip
"""Files that take longest, dearest first: begun first, they do not keep one worker busy after the others have ended."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the dearest files begin first; the order within a file stays."""
    root = Path(__file__).parent

    def rank(item: pytest.Item) -> int:
        name = item.path.relative_to(root).as_posix() if item.path.is_relative_to(root) else ""
        return next((i for i, dear in enumerate(_DEAREST) if name.startswith(dear)), len(_DEAREST))

    items.sort(key=rank)


def pytest_configure(config: pytest.Config) -> None:
    """Begin what the processes of a session share."""
    shared.begin(config)


_COLLECTED = "TESTS_COLLECTED"
"""Names the file in which the first process of pytest-xdist tells the others what it has collected."""
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ[_COLLECTED] = str(Path(_DATA.name, "collected"))


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Keep the collector of garbage from a million objects that live until the end.

    Each of its passes over them takes 0.4 s: it waits while they are made, and leaves them alone when tests call it.
    """
    late_collection.arrange(session, Path(os.environ[_COLLECTED]))
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


@pytest.fixture
def anyio_backend() -> str:
    """Asynchronous tests run on asyncio, as ragstone does."""
    return "asyncio"
