"""A watch goes on through poisoned traces and a database that fails for a while; what fails is told everywhere."""

import asyncio
import resource
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from benchmarks.postgres import available, database
from sqlalchemy import select, update
from tests.dashboard.site import wait_until
from tests.push.test_hostile_replies import answering
from tests.testing.forked import ForkedProcess
from tests.watch.test_killed import PLAN, send, started
from tests.watch.test_worker import answered, plan_of, results

from ragstone import TestCase
from ragstone.metrics import Metric
from ragstone.store.queue import watch_state as health
from ragstone.store.queue.trace_queue import TraceQueue, open_queue
from ragstone.store.schema.tables import TRACE_RECORDS, TRACES
from ragstone.watch import units
from ragstone.watch import worker as worker_module
from ragstone.watch.delivery import FailureMessages
from ragstone.watch.overview import read_troubles
from ragstone.watch.supervision import TaskFailure, WatchHealth, supervise
from ragstone.watch.worker import TraceWorker, work


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[TraceQueue]:
    with closing(open_queue(tmp_path / "runs.sqlite3")) as found:
        yield found


class Poisoned(Metric):
    """Cannot measure a test case whose answer asks for it, in a way that no metric may fail."""

    needs = ("actual_output",)

    def assess(self, case: TestCase, ctx: Any) -> float:  # pyright: ignore[reportIncompatibleMethodOverride]
        del ctx
        if "poison" in (case.actual_output or ""):
            raise BaseExceptionGroup("poison", [asyncio.CancelledError("poison")])
        return 1.0


POISONED = f"{__name__}:Poisoned"


def errors_of(queue: TraceQueue) -> dict[int, tuple[str, str]]:
    with queue.engine.connect() as connection:
        rows = connection.execute(select(TRACES.c.trace_id, TRACES.c.state, TRACES.c.error))
        return {int(trace, 16): (state, error) for trace, state, error in rows if state != "done" or error}


@pytest.mark.parametrize("place", ["record", "cases", "feedback", "judge", "settle"])
def test_a_poisoned_trace_is_set_aside_with_its_error(
    place: str, queue: TraceQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, 11):
        queue.put(answered(number, "yes, poison" if number == 5 else "yes"))
    poisoned = f"{5:032x}"

    def raising(original: Callable[..., Any], key: Callable[..., bool]) -> Callable[..., Any]:
        def wrapped(*args: Any, **options: Any) -> Any:
            if key(*args):
                raise OverflowError("poison")
            return original(*args, **options)

        return wrapped

    if place == "record":
        with queue.engine.begin() as connection:
            of_trace = TRACE_RECORDS.c.trace_id == poisoned
            connection.execute(update(TRACE_RECORDS).where(of_trace).values(body='{"span_id": "poison"}'))
    elif place == "cases":
        is_it = lambda records, _: any(record.trace_id == poisoned for record in records)  # noqa: E731
        monkeypatch.setattr(units, "trace_cases", raising(units.trace_cases, is_it))
    elif place == "feedback":
        is_it = lambda _, claimed, __: any(claim.key == poisoned for claim in claimed)  # noqa: E731
        monkeypatch.setattr(worker_module, "keep_arrived", raising(worker_module.keep_arrived, is_it))
    elif place == "settle":
        is_it = lambda *args: any(unit.unit == poisoned for unit in args[3])  # noqa: E731
        monkeypatch.setattr(worker_module, "settle", raising(worker_module.settle, is_it))
    metric = POISONED if place == "judge" else "pattern_match(pattern='yes.*')"
    counts = asyncio.run(work(TraceWorker(queue, plan_of(metrics=[metric])), stop=None))
    assert (counts.claimed, counts.judged, counts.set_aside) == (10, 9, 1)
    ((number, (state, error)),) = errors_of(queue).items()
    assert (number, state) == (5, "dead")
    assert "poison" in error or "record" in error
    assert (queue.counts().dead, results(queue)) == (1, 9)


def test_a_trace_that_ends_its_worker_is_set_aside_after_some_attempts(queue: TraceQueue) -> None:
    for number in range(1, 4):
        queue.put(answered(number, "yes"))
    with queue.engine.begin() as connection:
        connection.execute(update(TRACES).where(TRACES.c.trace_id == f"{2:032x}").values(attempts=10))
    counts = asyncio.run(work(TraceWorker(queue, plan_of()), stop=None))
    assert (counts.judged, counts.set_aside) == (2, 1)
    assert "ended each time" in errors_of(queue)[2][1]


def test_judging_waits_while_the_database_is_locked(
    queue: TraceQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    for number in range(1, 4):
        queue.put(answered(number, "yes"))
    worker = TraceWorker(queue, plan_of(), health=WatchHealth(told.append), stop=None)
    monkeypatch.setattr(worker_module, "_MAX_FAILURES", 100)
    for connection in (queue.engine.connect() for _ in range(5)):  # each of the pool's
        connection.exec_driver_sql("PRAGMA busy_timeout = 50")
        connection.close()
    holder = sqlite3.connect(tmp_path / "runs.sqlite3", isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(3.0, holder.rollback)
    timer.start()
    counts = asyncio.run(work(worker, stop=None))
    timer.join()
    holder.close()
    assert (counts.judged, results(queue)) == (3, 3)
    assert any("database is locked" in line for line in told)
    assert told[-1].startswith("judging works again")


def test_a_task_that_fails_is_begun_again_and_told() -> None:
    told: list[str] = []
    found = WatchHealth(told.append)

    async def main() -> None:
        stop, runs = asyncio.Event(), 0

        async def run() -> None:
            nonlocal runs
            runs += 1
            if runs < 3:
                raise ExceptionGroup("two", [ValueError("first"), KeyError("second")])
            found.worked("a task")
            stop.set()

        await supervise("a task", run, found, stop)
        assert runs == 3

    asyncio.run(main())
    assert len(told) == 2
    assert "a task has failed since" in told[0]
    assert told[0].endswith("ValueError: first")
    assert told[1].startswith("a task works again")
    assert not found.failures


def test_a_lasting_failure_is_sent_to_webhooks_without_the_database() -> None:
    statuses = [200, 200, 404]
    with answering(lambda _path, _headers: (statuses.pop(), b"")) as url:
        messages = FailureMessages(plan_of(notify=[{"webhook": url}]), {})
        failure = TaskFailure("judging", time.time(), "OperationalError", "a text of a user")
        first = asyncio.run(messages.send([failure]))
        assert first[0].endswith("delivery failed and will be retried: the webhook answered 404")
        assert "a text of a user" not in first[0]
        assert asyncio.run(messages.send([failure])) == []
        assert len(statuses) == 2  # it is sent again after a minute, not before
        messages = FailureMessages(plan_of(notify=[{"webhook": url}]), {})
        for lasting in ([failure], [failure], [], []):
            assert asyncio.run(messages.send(lasting)) == []
    assert statuses == []


def test_troubles_of_living_and_silent_processes_are_shown(queue: TraceQueue) -> None:
    health.save_health(queue.engine, "production", {"judging": "judging has failed"})
    assert read_troubles(queue, "production") == (f"process {health.own_name()}: judging has failed",)
    assert "no sign of life" in read_troubles(queue, "production", time.time() + 100)[0]
    health.save_health(queue.engine, "production", {})
    assert read_troubles(queue, "production") == ()
    health.end_health(queue.engine, "production")
    assert read_troubles(queue, "production", time.time() + 100) == ()


def wait_for_line(process: ForkedProcess, text: str) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if text in line:
            return line
    raise AssertionError(f"the process ended without saying {text!r}")


def end(process: ForkedProcess) -> None:
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert process.stderr is not None
    process.stderr.close()


def test_watch_goes_on_after_postgresql_was_killed_and_started_again(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    if not available():
        pytest.skip("PostgreSQL is not installed")
    (tmp_path / "watch.toml").write_text(PLAN)
    with database() as server:
        process, url = started(tmp_path / "watch.toml", server.url)
        acknowledged = [number for number in range(1, 6) if send(url, number)]
        server.crash()
        assert not send(url, 6)
        wait_for_line(process, "has failed since")
        server.start()
        wait_for_line(process, "works again")
        acknowledged += [number for number in range(6, 11) if send(url, number)]
        assert len(acknowledged) == 10
        with closing(open_queue(server.url)) as queue:
            wait_until(lambda: queue.counts().judged == 10, 60)
        end(process)


def test_watch_goes_on_after_a_full_disk_was_freed(tmp_path: Path) -> None:
    """The disk is full for the process: a limit on the size of files, which is then lifted from outside."""
    (tmp_path / "watch.toml").write_text(PLAN)
    process, url = started(
        tmp_path / "watch.toml", str(tmp_path / "runs.sqlite3"), "serve", "--port", "0", "--watch"
    )
    acknowledged = [number for number in range(1, 4) if send(url, number)]
    size = (tmp_path / "runs.sqlite3-wal").stat().st_size
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    refused = [number for number in range(4, 30) if not send(url, number)]
    assert refused
    acknowledged += [number for number in range(4, 30) if number not in refused]
    wait_for_line(process, "has failed since")
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    wait_for_line(process, "works again")
    assert send(url, 99)
    with closing(open_queue(tmp_path / "runs.sqlite3")) as queue:
        wait_until(lambda: queue.counts().judged == len(acknowledged) + 1, 60)
    end(process)
