"""`ragstone serve` says where it is, and Ctrl-C ends it at once, whoever still looks."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.command import RAGSTONE
from tests.dashboard import client
from tests.dashboard.runs import keep
from tests.testing.forked import ForkedProcess

from ragstone.store import open_store


@contextmanager
def _serving(store: Path, *options: str) -> Iterator[tuple[ForkedProcess, str, str]]:
    command = [RAGSTONE, "serve", "--port", "0", "--store", str(store)]
    own = {**os.environ, "XDG_DATA_HOME": str(store.parent / "data")}
    with ForkedProcess([*command, *options], stderr=subprocess.PIPE, env=own) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            where = re.search(r"http://\S+", said)
            assert where is not None, said
            token = process.stderr.readline().split()[-1]
            yield process, where[0].partition("/login")[0], token
        finally:
            process.kill()


def test_serve_prints_its_address_and_sigint_ends_open_streams(tmp_path: Path) -> None:
    store = open_store(tmp_path / "runs.sqlite3")
    run = keep(store).run.id
    store.close()
    with _serving(tmp_path / "runs.sqlite3") as (process, address, _):
        with client.stream("GET", f"{address}/api/runs/{run}/stream") as told:
            lines = told.iter_lines()
            assert next(lines) == "retry: 1000"
            process.send_signal(signal.SIGINT)
            rest = list(lines)
        assert process.wait(20) == 0
        assert "Traceback" not in (process.stderr.read() if process.stderr else "")
    assert not any("gone" in line for line in rest)


def test_serve_on_another_host_prints_a_token_that_grants_access(tmp_path: Path) -> None:
    with _serving(tmp_path / "runs.sqlite3", "--host", "0.0.0.0") as (_, address, token):  # noqa: S104
        local = address.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
        assert client.get(local).status_code == 401
        assert client.get(local, headers={"Authorization": f"Bearer {token}"}).status_code == 200


def test_running_run_is_left_incomplete_when_the_server_stops(tmp_path: Path) -> None:
    rows = "\n".join(f'{{"input": "q{n}", "actual_output": "Yes. It is so."}}' for n in range(3000))
    with _serving(tmp_path / "runs.sqlite3") as (process, address, _):
        sent = client.post(f"{address}/api/datasets", files={"file": ("a.jsonl", rows)}).json()
        order = {"dataset": sent["id"], "metrics": ["answer_relevancy"]}
        run = client.post(f"{address}/api/runs", json=order).json()["id"]
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    store = open_store(tmp_path / "runs.sqlite3")
    stored = store.find(run)
    assert stored.state == "incomplete"
    assert store.line(stored).progress.done < 3000
    store.close()


def test_loopback_is_open_unless_a_token_is_given(tmp_path: Path) -> None:
    with _serving(tmp_path / "runs.sqlite3") as (process, address, _):
        assert client.get(address).status_code == 200
        process.send_signal(signal.SIGINT)
        process.wait(20)
    with _serving(tmp_path / "runs.sqlite3", "--token", "a-token-of-this-test") as (_, address, token):
        assert token == "a-token-of-this-test"
        assert client.get(address).status_code == 401
        assert client.get(address, headers={"Authorization": f"Bearer {token}"}).status_code == 200
