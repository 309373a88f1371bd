"""A run starts only after an estimate within the bounds, over a file below the folder, where that is allowed."""

import json
from pathlib import Path
from shutil import copy2
from typing import Any

import pytest
from tests.cli.command import RIGHT, rows
from tests.mcp.sessions import ask, session, text_of
from tests.servers.openai import OpenAIServer

from mcp import Client
from ragstone.config import Settings
from ragstone.store import open_store


def refusal(folder: Path, settings: Settings | None = None, **wanted: Any) -> str:
    """Return why a run is refused, as its estimate or as an error."""

    async def talk(client: Client) -> str:
        found = await ask(client, "estimate", **wanted)
        if found.is_error:
            return text_of(found)
        assert found.structured_content is not None
        assert found.structured_content["estimate"] is None
        return found.structured_content["refused"]

    return session(talk, folder / "runs.sqlite3", folder, write=True, settings=settings)


def test_estimated_run_starts_once_and_measures_the_file(tmp_path: Path) -> None:
    rows(tmp_path, RIGHT, RIGHT)

    async def talk(client: Client) -> tuple[str, str]:
        found = await ask(client, "estimate", dataset="cases.jsonl", metrics=["exact_match"], name="mine")
        assert found.structured_content is not None
        assert found.structured_content["cases"] == 2
        key = found.structured_content["estimate"]
        started = await ask(client, "run", estimate=key)
        again = await ask(client, "run", estimate=key)
        assert again.is_error
        return (started.structured_content or {})["run"], text_of(again)

    run, again = session(talk, tmp_path / "runs.sqlite3", tmp_path, write=True)
    assert "call `estimate`" in again
    stored = open_store(tmp_path / "runs.sqlite3").find("mine")
    assert stored.run.id == run
    assert stored.run.plan.metrics == ("exact_match",)


def test_run_is_refused_without_write_and_after_the_file_changed(tmp_path: Path) -> None:
    path = rows(tmp_path, RIGHT)

    async def talk(client: Client) -> str:
        found = await ask(client, "estimate", dataset="cases.jsonl", metrics=["exact_match"])
        path.write_text(path.read_text() * 2)
        return text_of(await ask(client, "run", estimate=(found.structured_content or {})["estimate"]))

    assert "read-only" in session(talk, tmp_path / "runs.sqlite3", tmp_path)
    assert "has changed" in session(talk, tmp_path / "runs.sqlite3", tmp_path, write=True)


def test_run_is_refused_if_the_file_is_gone_or_a_link_to_one_outside(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    path = rows(folder, RIGHT)
    outside = path.rename(tmp_path / "outside.jsonl")

    async def talk(client: Client) -> list[str]:
        said: list[str] = []
        for leave in (lambda: None, lambda: path.symlink_to(outside)):
            path.unlink(missing_ok=True)
            copy2(outside, path)  # of the same size and time
            found = await ask(client, "estimate", dataset="cases.jsonl", metrics=["exact_match"])
            path.unlink()
            leave()
            said.append(
                text_of(await ask(client, "run", estimate=(found.structured_content or {})["estimate"]))
            )
        return said

    for refused in session(talk, tmp_path / "runs.sqlite3", folder, write=True):
        assert "There is no file" in refused


def test_run_beyond_a_bound_is_refused(
    tmp_path: Path, openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", openai_server.key)
    monkeypatch.setenv("OPENAI_BASE_URL", openai_server.base_url)
    rows(tmp_path, *[RIGHT] * 4)
    few, cheap = Settings(agent_max_cases=3), Settings(agent_max_cost=0.000001)
    judged = {"metrics": ["answer_accuracy"], "judge": "openai:gpt-4o-mini"}
    assert "agent_max_cases" in refusal(tmp_path, few, dataset="cases.jsonl", metrics=["exact_match"])
    assert "agent_max_cost" in refusal(tmp_path, cheap, dataset="cases.jsonl", **judged)
    assert "no price" in refusal(
        tmp_path, dataset="cases.jsonl", metrics=["answer_accuracy"], judge="openai:unknown-1"
    )


def test_file_without_a_row_that_can_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text("[]\n{}\n")
    refused = refusal(tmp_path, dataset="cases.jsonl", metrics=["exact_match"])
    assert refused == "no test case could be read, of 2 rows of the dataset"


def test_files_outside_the_folder_and_code_are_refused(tmp_path: Path) -> None:
    folder, outside = tmp_path / "data", tmp_path / "secret.jsonl"
    folder.mkdir()
    outside.write_text(json.dumps(RIGHT))
    (folder / "link.jsonl").symlink_to(outside)
    for name in ("../secret.jsonl", str(outside), "link.jsonl", "", "a" * 900, "a\0b", "/etc/passwd"):
        assert "There is no file" in refusal(folder, dataset=name)
    rows(folder, RIGHT)
    others: tuple[dict[str, Any], ...] = (
        {"metrics": ["os:system"]},
        {"judge": "os:system"},
        {"judge": "openai:gpt-4o@http://127.0.0.1:9"},
        {"preset": "os:system"},
    )
    for wanted in others:
        assert "There is no" in refusal(folder, dataset="cases.jsonl", **wanted)
