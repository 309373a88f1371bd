import json
from pathlib import Path

import pytest
from tests.cli.command import invoke
from tests.servers.fixtures import serving
from tests.servers.ollama import OllamaServer

from ragstone.cli import judges as command
from ragstone.providers import local_servers


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No key, no server, no store, whatever this machine has."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "OLLAMA_HOST", "MISTRAL_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RAGSTONE_STORE", str(tmp_path / "runs.sqlite3"))
    monkeypatch.setattr(command, "local_servers", lambda: local_servers.local_servers([]))


def listed() -> dict[str, dict[str, object]]:
    result = invoke("judges", "--json")
    assert result.exit_code == 0
    return {entry["judge"]: entry for entry in json.loads(result.stdout)}


def test_bare_machine_has_the_embedded_judge() -> None:
    assert list(listed()) == ["local"]
    shown = invoke("judges").stdout
    assert "embedded: no key, sends nothing" in shown
    assert "Next: ragstone run DATASET --judge local" in shown
    assert "Asked: 127.0.0.1 at ports 11434, 1234, 8080, 8000, 3000" in shown


def test_server_key_and_configured_judge_are_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "ragstone.toml").write_text('[judges.house]\njudge = "openai:gpt-4o"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-key")
    with serving(OllamaServer(models=["qwen3:8b"])) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.base_url)
        found = listed()
        shown = invoke("judges").stdout
    assert list(found) == ["local", "ollama:qwen3:8b", "openai:gpt-4o-mini", "house"]
    assert found["openai:gpt-4o-mini"]["found"] == "key in OPENAI_API_KEY, not tried"
    assert "Next: ragstone exam --judge ollama:qwen3:8b" in shown
    assert "sk-secret-key" not in shown


def test_exam_of_enough_cases_is_shown_with_the_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exam = ("exam", "--judge", "local", "--limit", "6", "-q", "--store", tmp_path / "runs.sqlite3")
    assert invoke(*exam).exit_code == 0
    assert listed()["local"]["exam"] is None
    monkeypatch.setattr("ragstone.findings.exam.LEAST_CASES", 6)
    entry = listed()["local"]
    assert "In its exam, local" in str(entry["exam"])
    shown = " ".join(invoke("judges").stdout.split())
    assert f"of everyday claims, 93 % right; whole answers, by its exam: {entry['fitness']}" in shown
