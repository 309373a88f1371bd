"""`ragstone serve` says where it is, and Ctrl-C or SIGTERM end it at once, whoever still looks."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.command import RAGSTONE, started
from tests.dashboard import client
from tests.dashboard.runs import keep
from tests.testing.forked import ForkedProcess

from ragstone.store import open_store


@contextmanager
def _serving(
    store: Path | None, *options: str, data: Path | None = None
) -> Iterator[tuple[ForkedProcess, str, str]]:
    """Serve on a store; None: no --store, as the README writes it, with the user's data in the folder `data`."""
    command = [RAGSTONE, "serve", "--port", "0", *([] if store is None else ["--store", str(store)])]
    folder = data if store is None else store.parent / "data"
    own = {**os.environ, "XDG_DATA_HOME": str(folder), "HOME": str(folder), "RAGSTONE_STORE": ""}
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


def test_sigterm_ends_streams_and_leaves_a_running_run_resumable(tmp_path: Path) -> None:
    variables = {
        "RAGSTONE_STORE": str(tmp_path / "runs.sqlite3"),
        "RAGSTONE_SERVE_PORT": "0",
        "RAGSTONE_SERVE_LOG_FORMAT": "json",
        "XDG_DATA_HOME": str(tmp_path),
    }
    rows = "\n".join(f'{{"input": "q{n}", "actual_output": "Yes. It is so."}}' for n in range(3000))
    with started("serve", **variables) as process:
        try:
            assert process.stderr is not None
            said = json.loads(process.stderr.readline())
            address = re.search(r"http://[\w.:]+", said["message"])[0]  # type: ignore[index]
            sent = client.post(f"{address}/api/datasets", files={"file": ("a.jsonl", rows)}).json()
            order = {"dataset": sent["id"], "metrics": ["answer_relevancy"]}
            run = client.post(f"{address}/api/runs", json=order).json()["id"]
            with client.stream("GET", f"{address}/api/runs/{run}/stream") as told:
                process.send_signal(signal.SIGTERM)
                assert not any("gone" in line for line in told.iter_lines())
            assert process.wait(30) == 0
            assert [json.loads(line)["level"] for line in process.stderr] == ["info"]
        finally:
            process.kill()
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
    with _serving(tmp_path / "runs.sqlite3", "--token", "a-token-of-this-test") as (process, address, said):
        assert client.get(address).status_code == 401
        own = {"Authorization": "Bearer a-token-of-this-test"}
        assert client.get(address, headers=own).status_code == 200
        process.send_signal(signal.SIGTERM)
        process.wait(20)
        assert process.stderr is not None
        assert (
            "a-token-of-this-test" not in said + process.stderr.read()
        )  # it may be kept where others read it


def test_run_started_on_the_page_of_serve_without_options_is_kept_and_opens(tmp_path: Path) -> None:
    rows = '{"input": "Capital of France?", "actual_output": "Paris", "expected_output": "Paris"}'
    with _serving(None, data=tmp_path / "data") as (process, address, _):
        sent = client.post(f"{address}/api/datasets", files={"file": ("answers.jsonl", rows)}).json()
        created = client.post(f"{address}/api/runs", json={"dataset": sent["id"], "metrics": ["exact_match"]})
        run = created.json()["id"]
        assert created.status_code == 201
        assert client.get(f"{address}/api/runs/{run}").status_code == 200
        assert run in [line["id"] for line in client.get(f"{address}/api/runs").json()["runs"]]
        form = {"source": "demo", "metric": "exact_match", "name": "from the form", "limit": "2"}
        page = client.post(f"{address}/evaluate", data=form, follow_redirects=True)
        assert page.status_code == 200, page.text
        assert "/runs/" in str(page.url)
        assert "from the form" in page.text
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    kept = open_store(tmp_path / "data/ragstone/runs.sqlite3").runs()
    assert [stored.run.plan.name for stored in kept] == ["from the form", None]
