"""A real receiver that judges, killed in the middle: what it acknowledged is judged once."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from urllib.error import URLError

import pytest
from sqlalchemy import func, select, update
from tests.cli.command import RAGSTONE
from tests.dashboard.site import wait_until
from tests.testing import forked
from tests.testing.forked import ForkedProcess
from tests.traces.otlp_requests import otlp_span, request
from tests.watch.test_units import asked

from ragstone.store.queue.trace_queue import open_queue
from ragstone.store.schema.tables import RESULTS, TRACES

PLAN = 'metrics = ["answer_relevancy"]\n[unit]\nsettle = 0\n'
WATCH = (RAGSTONE, "watch")


def started(plan: Path, store: str, *command: str) -> tuple[ForkedProcess, str]:
    command = (RAGSTONE, *(command or ("watch",)), str(plan), "--store", store, "--otlp", "127.0.0.1:0")
    own = {**os.environ, "XDG_DATA_HOME": str(plan.parent / "data")}
    process = ForkedProcess(command, stderr=subprocess.PIPE, env=own)
    assert process.stderr is not None
    line = process.stderr.readline()
    found = re.search(r"http://\S+", line)
    assert found is not None, line
    return process, found[0]


def send(url: str, number: int) -> bool:
    """Send a trace; tell whether it was acknowledged."""
    values = {
        "openinference.span.kind": "CHAIN",
        "input.value": f"What is {number}?",
        "output.value": "A number.",
    }
    body = json.dumps(request([otlp_span(1, "answer", values, trace=f"{number:032x}")])).encode()
    message = urllib.request.Request(url, body, {"content-type": "application/json"})  # noqa: S310  (loopback)
    try:
        with urllib.request.urlopen(message, timeout=60) as answer:  # noqa: S310
            return answer.status == 200
    except (URLError, OSError):
        return False


def test_acknowledged_traces_are_judged_once_after_kills(tmp_path: Path, store_url: str) -> None:
    plan = tmp_path / "watch.toml"
    plan.write_text(PLAN)
    acknowledged: set[int] = set()
    for round_number in range(2):
        process, url = started(plan, store_url)
        for number in range(40 * round_number + 1, 40 * round_number + 41):
            if send(url, number):
                acknowledged.add(number)
            if number % 40 == 30:
                process.send_signal(signal.SIGKILL)
        process.wait()
        assert process.stderr is not None
        process.stderr.close()
    queue = open_queue(store_url)
    with (
        queue.engine.begin() as connection
    ):  # the leases of the killed would end by themselves in three minutes
        connection.execute(update(TRACES).values(lease_until=0.0))
    assert ended([*WATCH, str(plan), "--store", store_url, "--once"]) == 0
    counts = queue.counts()
    with queue.engine.connect() as connection:
        judged = list(connection.execute(select(RESULTS.c.case_id, func.count()).group_by(RESULTS.c.case_id)))
    assert (counts.waiting, counts.dead) == (0, 0)
    assert {int(trace, 16) for trace, _ in judged} >= acknowledged
    assert {count for _, count in judged} == {1}
    assert len(acknowledged) >= 50
    queue.close()


def test_serve_with_watch_judges_received_traces(tmp_path: Path) -> None:
    plan, store = tmp_path / "watch.toml", str(tmp_path / "runs.sqlite3")
    plan.write_text(PLAN)
    process, url = started(plan, store, "serve", "--port", "0", "--watch")
    queue = open_queue(store)
    assert send(url, 1)
    wait_until(lambda: queue.counts().judged == 1)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    queue.close()
    assert process.stderr is not None
    with process.stderr as told:
        assert "Traceback" not in told.read()


def ended(command: Sequence[str]) -> int:
    return forked.run(command, env=os.environ).returncode


@pytest.mark.parametrize("text", ["metrics = []", "speed = 1"])
def test_invalid_plan_exits_with_2(tmp_path: Path, text: str) -> None:
    plan = tmp_path / "watch.toml"
    plan.write_text(text)
    assert ended([*WATCH, str(plan), "--once", "--store", str(tmp_path / "runs.sqlite3")]) == 2


@pytest.mark.timeout(400)  # on a busy machine
def test_sessions_are_judged_once_after_a_killed_process(tmp_path: Path, store_url: str) -> None:
    plan = tmp_path / "watch.toml"
    metric = "tests.watch.test_units:SaidYes"
    plan.write_text(f'metrics = ["{metric}"]\n[unit]\nby = "session"\nidle = 0\n')
    queue = open_queue(store_url)
    for number in range(1, 241):
        queue.put(asked(number, f"session {number % 120}"))
    own = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [*WATCH, str(plan), "--store", store_url, "--trust"]
    with ForkedProcess(command, env=own) as killed:
        wait_until(lambda: queue.counts().judged > 0)
        killed.send_signal(signal.SIGKILL)
    with queue.engine.begin() as connection:
        connection.execute(update(TRACES).values(lease_until=0.0))
    assert forked.run([*command, "--once"], env=own).returncode == 0
    with queue.engine.connect() as connection:
        judged = list(connection.execute(select(RESULTS.c.case_id, func.count()).group_by(RESULTS.c.case_id)))
    assert sorted(case for case, _ in judged) == sorted(f"session {number}" for number in range(120))
    assert {count for _, count in judged} == {1}
    assert (queue.counts().waiting, queue.counts().judged) == (0, 240)
    queue.close()
