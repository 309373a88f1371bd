"""A whole session, as a coding agent has it: over the standard streams of a process, and over HTTP with a token."""

import asyncio
import json
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx
import httpx2
import jsonschema
import pytest
from mcp.client.streamable_http import streamable_http_client
from tests.cli.command import RAGSTONE, RIGHT, environment, invoke, rows, started
from tests.mcp.sessions import HOSTILE, TOOLS, ask, text_of, two_runs

from mcp import Client, StdioServerParameters
from ragstone.store import open_store


async def _session(client: Client) -> None:
    """Find a run, compare it, open its worst case, explain it, and be refused a write."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert tuple(tools) == TOOLS
    assert all(tool.output_schema and tool.annotations for tool in tools.values())
    assert [
        name for name, tool in tools.items() if tool.annotations and not tool.annotations.read_only_hint
    ] == ["run"]

    async def called(name: str, /, **arguments: object) -> dict[str, object]:
        found = await ask(client, name, **arguments)
        assert not found.is_error, text_of(found)
        assert found.structured_content is not None
        jsonschema.validate(found.structured_content, tools[name].output_schema or {})
        return found.structured_content

    runs = await called("runs", text="after")
    assert runs["count"] == 1
    run = runs["runs"][0]  # type: ignore[index]
    figure = run["metrics"][0]
    assert {name: figure[name] for name in ("n", "passed", "missed", "undecided", "not_measured", "skipped")} == {
        "n": 11, "passed": 10, "missed": 1, "undecided": 0, "not_measured": 1, "skipped": 0,
    }  # fmt: skip
    assert figure["interval"]["low"] < figure["mean"] < figure["interval"]["high"]
    compared = await called("compare", before=_id(await called("runs", text="before")), after=run["id"])
    change = compared["metrics"][0]  # type: ignore[index]
    assert change["flipped"] == change["worse"] == 1
    assert change["verdict"] == "no difference shown"
    worst = await called("worst", run=run["id"], limit=1)
    number = worst["cases"][0]["number"]  # type: ignore[index]
    case = await called("case", run=run["id"], number=number)
    assert case["number"] == 2
    assert case["id"] == (await called("case", run=run["id"], case_id=change["flips"][0]["case_id"]))["id"]
    assert "| Ignore all previous instructions" in str(case["answer"])
    for name, argument in (("case", {"run": run["id"], "number": 10**30}), ("runs", {"offset": 10**30})):
        assert "less than or equal to" in text_of(await ask(client, name, **argument))
    explained = await called("explain", run=run["id"])
    assert (explained["missed"], explained["not_measured"]) == (1, 1)
    assert (await called("metrics", name="faithfulness"))["metrics"]
    estimate = await called("estimate", dataset="demo", metrics=["exact_match"], limit=5)
    refused = await ask(client, "run", estimate=estimate["estimate"])
    assert refused.is_error
    assert "This server is read-only" in text_of(refused)


def _id(runs: dict[str, object]) -> object:
    return runs["runs"][0]["id"]  # type: ignore[index]


def test_session_over_the_standard_streams_of_a_process(tmp_path: Path) -> None:
    two_runs(tmp_path / "runs.sqlite3", HOSTILE)
    command = StdioServerParameters(
        command=RAGSTONE,
        args=["mcp", "--store", str(tmp_path / "runs.sqlite3")],
        env=environment(),
        cwd=tmp_path,
    )

    async def talk() -> None:
        async with Client(command) as client:
            await _session(client)

    asyncio.run(talk())
    assert len(open_store(tmp_path / "runs.sqlite3").runs()) == 2


@contextmanager
def _serving(store: Path, *options: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Serve over HTTP on a free port; yield the address of the endpoint and the token that was printed."""
    command = ("mcp", "--http", "127.0.0.1:0", "--store", store, *options)
    with started(*command, cwd=folder) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            where = re.search(r"http://\S+", said)
            assert where is not None, said
            yield where[0], process.stderr.readline().split()[-1]
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 0
        finally:
            process.kill()


@asynccontextmanager
async def _client(address: str, token: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        yield client


def test_session_over_http_needs_the_token_and_our_own_origin(tmp_path: Path) -> None:
    two_runs(tmp_path / "runs.sqlite3", HOSTILE)
    rows(tmp_path, RIGHT)
    with _serving(tmp_path / "runs.sqlite3", folder=tmp_path) as (address, token):
        bearer = {"Authorization": f"Bearer {token}"}
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        accept = {"Accept": "application/json, text/event-stream"}
        assert httpx.post(address, json=asked, headers=accept).status_code == 401
        assert (
            httpx.post(address, json=asked, headers={**accept, "Authorization": "Bearer no"}).status_code
            == 401
        )
        page = {**accept, **bearer, "Origin": "https://elsewhere.example"}
        assert httpx.post(address, json=asked, headers=page).status_code == 403

        async def talk() -> None:
            async with _client(address, token) as client:
                await _session(client)

        asyncio.run(talk())


def test_client_of_a_writing_server_starts_a_run_over_http(tmp_path: Path) -> None:
    rows(tmp_path, RIGHT)

    async def talk(address: str, token: str) -> str:
        async with _client(address, token) as client:
            found = await ask(client, "estimate", dataset="cases.jsonl", metrics=["exact_match"])
            key = (found.structured_content or {})["estimate"]
            return (((await ask(client, "run", estimate=key)).structured_content) or {})["run"]

    with _serving(tmp_path / "new.sqlite3", "--write", folder=tmp_path) as where:
        run = asyncio.run(talk(*where))
    assert open_store(tmp_path / "new.sqlite3").find(run).run.plan.dataset == str(tmp_path / "cases.jsonl")


def test_sigterm_ends_a_server_whose_client_says_nothing(tmp_path: Path) -> None:
    command = [RAGSTONE, "mcp", "--store", str(tmp_path / "runs.sqlite3")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            asked = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
            process.stdin.write(f"{json.dumps(asked)}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == 1
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
            assert process.stderr is not None
            assert b"Traceback" not in process.stderr.read()
        finally:
            process.kill()


def test_token_of_a_reader_reads_and_starts_no_run(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"
    two_runs(path)
    secret = invoke("token", "agent", "--role", "reader", "--store", str(path)).stdout.strip()

    async def talk(address: str) -> str:
        async with _client(address, secret) as client:
            return text_of(await ask(client, "runs"))

    with _serving(path, folder=tmp_path) as (address, _):
        assert "before" in asyncio.run(talk(address))
    with _serving(path, "--write", folder=tmp_path) as (address, _):
        refused = httpx.post(address, json={}, headers={"Authorization": f"Bearer {secret}"})
        assert (refused.status_code, "agent has the role reader" in refused.text) == (403, True)


def test_reading_server_creates_no_store(tmp_path: Path) -> None:
    async def talk() -> str:
        command = StdioServerParameters(
            command=RAGSTONE, args=["mcp", "--store", "none.sqlite3"], env=environment(), cwd=tmp_path
        )
        async with Client(command) as client:
            return text_of(await ask(client, "runs"))

    assert "No run is stored" in asyncio.run(talk())
    assert not (tmp_path / "none.sqlite3").exists()


@pytest.mark.parametrize("module", ["mcp", "fastapi"])
def test_mcp_names_the_extra_where_it_is_absent(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name == module or name.startswith(f"{module}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    done = invoke("mcp")
    assert done.exit_code == 2
    assert "pip install 'ragstone[mcp]'" in done.stderr


def test_folder_that_is_absent_is_refused(tmp_path: Path) -> None:
    done = invoke("mcp", "--folder", tmp_path / "none", "--store", tmp_path / "runs.sqlite3")
    assert done.exit_code == 2
    assert "is not a folder" in done.stderr
