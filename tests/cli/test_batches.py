"""`ragstone run --batch` as people run it, and as it is killed."""

import json
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import forked, invoke, rows, started
from tests.runner.test_batches_over_the_wire import KINDS, cases, script
from tests.servers.anthropic import AnthropicServer
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.testing.forked import ForkedProcess

METRIC = ("-m", "faithfulness", "-m", "answer_relevancy")
PATIENCE = 300.0
"""Seconds until a process has come as far as is waited for: on a busy machine it takes a minute to start."""
pytestmark = pytest.mark.timeout(2 * PATIENCE)


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest) -> Iterator[Any]:
    with serving(KINDS[request.param](script())) as found:
        yield found


def variables(server: Any, **more: str) -> dict[str, str]:
    name, key = (
        ("OPENAI", "sk-loopback") if isinstance(server, OpenAIServer) else ("ANTHROPIC", "sk-ant-loopback")
    )
    return {f"{name}_BASE_URL": server.base_url, f"{name}_API_KEY": key, **more}


def command(server: Any, data: Path, store: Path, *more: object) -> list[str]:
    judge = ("--judge", server.vendor, *METRIC, "--batch", "--batch-interval", "0.1")
    return ["run", str(data), *judge, "--store", str(store), *map(str, more)]


def lines(path: Path) -> list[Any]:
    """What was found, without what time decides."""
    decided = {"latency_ms", "usage", "evaluation_cost"}
    found = (json.loads(line) for line in path.read_text().splitlines())
    return [{key: value for key, value in line.items() if key not in decided} for line in found]


def wait_for(what: Callable[[], object], process: ForkedProcess) -> None:
    until = time.monotonic() + PATIENCE
    while not what():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)


def asked_about_batch(server: Any, number: int = 1) -> bool:
    """Whether the run knows of a batch, counted from 1: it has asked how far it is."""
    return any(
        request.method == "GET" and batch.id in request.path
        for batch in server.batches.made[number - 1 : number]
        for request in server.requests
    )


@pytest.mark.parametrize(
    ("server", "batches", "heard"),
    [
        ("openai", 1, False),
        ("openai", 2, True),
        ("anthropic", 1, True),
        ("anthropic", 2, False),
    ],
    indirect=["server"],
)
def test_killed_batch_run_resumes_without_resubmitting(
    server: Any, tmp_path: Path, batches: int, *, heard: bool
) -> None:
    data, store = rows(tmp_path, *cases(6)), tmp_path / "runs.sqlite3"
    whole = invoke(
        *command(server, data, tmp_path / "other.sqlite3", "-o", tmp_path / "whole.jsonl"),
        env=variables(server),
    )
    assert whole.exit_code in (0, 1), whole.stderr
    server.batches.made.clear()
    server.batches.delay = 1.5
    process = started(*command(server, data, store), **variables(server))
    if heard:
        wait_for(lambda: asked_about_batch(server, batches), process)
    else:
        wait_for(lambda: len(server.batches.made) >= batches - 1, process)
        server.batches.hesitation = PATIENCE
        wait_for(lambda: len(server.batches.made) >= batches, process)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    server.batches.hesitation = server.batches.delay = 0.0
    resume = command(server, data, store, "--resume", "last", "-o", tmp_path / "resumed.jsonl")
    done = invoke(*(word for word in resume if word != "--batch"), env=variables(server))
    assert done.exit_code == whole.exit_code, done.stderr
    assert lines(tmp_path / "resumed.jsonl") == lines(tmp_path / "whole.jsonl")
    assert len(set(server.batches.submitted)) == len(server.batches.submitted)
    assert len(set(server.batches.bodies)) == len(server.batches.bodies)
    assert len(server.batches.made) == 2


def test_ctrl_c_keeps_batches_running_and_prints_resume_command(server: Any, tmp_path: Path) -> None:
    data, store = rows(tmp_path, *cases(3)), tmp_path / "runs.sqlite3"
    server.batches.delay = PATIENCE
    process = started(*command(server, data, store), **variables(server))
    wait_for(lambda: asked_about_batch(server), process)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    name = server.batches.made[0].id
    assert f"batches still at the vendor, which will be answered and charged: {name}." in said
    run = next(line for line in said.splitlines() if "the same command with --resume" in line).split()[-1]
    server.batches.delay = 0.0
    done = invoke(*command(server, data, store, "--resume", run), env=variables(server))
    assert done.exit_code in (0, 1), done.stderr
    assert len(set(server.batches.submitted)) == len(server.batches.submitted)
    assert not server.batches.made[0].cancelled


def test_progress_of_each_batch_is_printed(server: Any, tmp_path: Path) -> None:
    done = invoke(*command(server, rows(tmp_path, *cases(3)), tmp_path / "r.sqlite3"), env=variables(server))
    assert "ragstone: batch 1: 6 requests with" in done.stderr or "batch 1: 6 of 6 answered" in done.stderr
    assert "batch 2: 6 of 6 answered" in done.stderr


def test_a_wrong_key_ends_with_2(server: Any, tmp_path: Path) -> None:
    wrong = {name: "sk-wrong" for name in variables(server) if name.endswith("KEY")}
    done = forked(
        *command(server, rows(tmp_path, *cases(3)), tmp_path / "r.sqlite3"), **{**variables(server), **wrong}
    )
    assert done.returncode == 2
    assert "answered 401" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("kind", [OpenAIServer, AnthropicServer])
def test_an_unknown_model_ends_with_2(tmp_path: Path, kind: Any) -> None:
    with serving(kind(script(), models=["another"])) as server:
        data = rows(tmp_path, *cases(2))
        done = invoke(*command(server, data, tmp_path / "r.sqlite3"), env=variables(server))
    assert done.exit_code == 2, done.stderr
    assert "answered 404" in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--judge", "local"], "The judge local cannot be asked in batches"),
        (["--judge", "ollama"], "The judge ollama:"),
        (["--judge", "openai", "--offline"], "offline=True sends no requests, but batch=True sends them"),
    ],
)
def test_judges_without_batches_are_refused_before_sending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], said: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")
    store = tmp_path / "r.sqlite3"
    done = invoke(
        "run", rows(tmp_path, *cases(1)), "-m", "faithfulness", "--batch", "--store", store, *options
    )
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_estimate_with_batch_is_half_the_price(tmp_path: Path) -> None:
    asked = ("run", rows(tmp_path, *cases(2)), "-m", "faithfulness", "--judge", "openai", "--estimate")
    alone, batched = invoke(*asked), invoke(*asked, "--batch")
    assert "in batches, half the standard price" in batched.stdout
    dollars = [float(done.stdout.splitlines()[-1].split()[0].strip("$")) for done in (alone, batched)]
    assert dollars[1] == pytest.approx(dollars[0] / 2, abs=1e-4)
    assert alone.stdout.splitlines()[:2] == batched.stdout.splitlines()[:2]


def test_resumed_batch_run_stays_in_batches(tmp_path: Path) -> None:
    with serving(OpenAIServer(script())) as server:
        data, store = rows(tmp_path, *cases(2)), tmp_path / "runs.sqlite3"
        assert invoke(*command(server, data, store), env=variables(server)).exit_code in (0, 1)
        resume = ("run", data, "--store", store, "--resume", "last")
        assert invoke(*resume, env=variables(server)).exit_code in (0, 1)
        refused = invoke(*resume, "--no-batch", env=variables(server))
    assert refused.exit_code == 2
    assert "The run was started in batches" in refused.stderr


def test_batches_are_cancelled_and_a_resumed_run_asks_for_the_rest(
    server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables(server).items():
        monkeypatch.setenv(name, value)
    data, store = rows(tmp_path, *cases(3)), tmp_path / "runs.sqlite3"
    server.batches.delay = PATIENCE
    process = started(*command(server, data, store), **variables(server))
    wait_for(lambda: asked_about_batch(server), process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    done = invoke("cancel", "last", "--store", store)
    assert (done.exit_code, server.batches.made[0].cancelled) == (0, True), done.stderr
    assert done.stdout.startswith(f"{server.batches.made[0].id}: cancelled, ")
    server.batches.delay = 0.0
    assert "has no batches to cancel" in invoke("cancel", "last", "--store", store).stdout
    rest = invoke(*command(server, data, store, "--resume", "last"))
    assert rest.exit_code in (0, 1), rest.stderr
    assert [len(batch.requests) for batch in server.batches.made] == [6, 6, 6]


def test_batches_at_another_address_are_not_cancelled_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(OpenAIServer(script())) as server:
        data, store = rows(tmp_path, *cases(1)), tmp_path / "runs.sqlite3"
        assert invoke(*command(server, data, store), env=variables(server)).exit_code in (0, 1)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    done = invoke("cancel", "last", "--store", store)
    assert done.exit_code == 2
    assert "set OPENAI_BASE_URL to its earlier value" in done.stderr
