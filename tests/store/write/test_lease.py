"""One process at a time writes to a run."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from ragstone import evaluate
from ragstone.errors import RunInUse, StoreError
from ragstone.event import RunFinished, RunStarted
from ragstone.metrics import ExactMatch
from ragstone.store import Store, open_store
from ragstone.store.write import lease as module
from ragstone.store.write.lease import Lease

CASES = [{"input": f"q{n}", "actual_output": "a", "expected_output": "a"} for n in range(3)]


@pytest.fixture
def store(store_url: str) -> Store:
    evaluate(CASES, [ExactMatch()], store=store_url)
    return open_store(store_url)


def expire(store: Store) -> None:
    with store._engine.begin() as connection:
        connection.execute(text("UPDATE runs SET lease_until = 1"))


def elsewhere(store: Store, owner: str = "elsewhere/x:1:aa", seconds: float = 60) -> None:
    """Let another machine have the lease."""
    with store._engine.begin() as connection:
        connection.execute(
            text("UPDATE runs SET lease_owner = :owner, lease_until = :until"),
            {"owner": owner, "until": time.time() + seconds},
        )


def test_second_writer_is_rejected_while_the_first_runs(store: Store, store_url: str) -> None:
    found = store.find("last")
    recorder = store.recorder()
    recorder(RunStarted(found.run, total=0))
    other = open_store(store_url)
    with pytest.raises(
        RunInUse, match=f"{found.run.id} is running in another process .process {os.getpid()}"
    ):
        other.past(other.find("last"))
    recorder(RunFinished(found.run, complete=True))
    other.past(other.find("last"))


def test_attempt_that_never_started_holds_no_lease(store: Store, store_url: str) -> None:
    store.past(store.find("last"))
    other = open_store(store_url)
    other.past(other.find("last"))


def test_expired_lease_is_taken_over_and_cannot_be_extended(store: Store) -> None:
    number = store.find("last").number
    first, second = Lease(), Lease()
    first.take(store._engine, number)
    expire(store)
    second.take(store._engine, number)
    with store._engine.begin() as connection, pytest.raises(StoreError, match="has resumed the run"):
        first.extend(connection, number, 1.0)
    with store._engine.begin() as connection:
        second.extend(connection, number, 1.0)


def test_take_waits_for_a_remote_lease_to_expire(store: Store) -> None:
    elsewhere(store, seconds=1.0)
    Lease().take(store._engine, store.find("last").number)


def test_extended_remote_lease_raises_run_in_use(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere(store)
    monkeypatch.setattr(module, "sleep", lambda _: elsewhere(store, seconds=120))
    with pytest.raises(RunInUse, match="process 1 on elsewhere"):
        Lease().take(store._engine, store.find("last").number)


def test_a_finished_run_has_no_lease(store: Store) -> None:
    with store._engine.connect() as connection:
        assert connection.execute(text("SELECT lease_owner FROM runs")).scalars().all() == [""]


BEGIN = """
import sys, time
from ragstone.store import open_store
store = open_store(sys.argv[1])
store.past(store.find("last"))
print("taken", flush=True)
time.sleep(60)
"""


def begin(store_url: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", BEGIN, store_url],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3] / "src")},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "taken\n"
    return process


def test_lease_of_a_killed_process_is_free_at_once(store: Store, store_url: str) -> None:
    process = begin(store_url)
    with pytest.raises(RunInUse, match=f"process {process.pid}"):
        store.past(store.find("last"))
    process.send_signal(signal.SIGKILL)
    process.communicate()
    store.past(store.find("last"))
