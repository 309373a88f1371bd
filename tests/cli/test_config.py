"""`ragstone config` shows values and sources; `ragstone run` obeys them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ragstone.cli import ragstone


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ragstone.toml").write_text(
        'metrics = ["exact_match"]\n[thresholds]\nexact_match = 0.25\n'
        '[judges.mine]\njudge = "openai"\napi_key = "sk-hidden"\n'
    )
    (tmp_path / "cases.jsonl").write_text('{"input": "q", "actual_output": "a", "expected_output": "a"}\n')
    return tmp_path


def test_config_shows_each_value_with_its_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSTONE_CONCURRENCY", "3")
    shown = CliRunner().invoke(ragstone, ["config"])
    assert shown.exit_code == 0
    rows = {line.split()[0]: line.split()[1:] for line in shown.output.splitlines() if line}
    assert rows["concurrency"] == ["3", "RAGSTONE_CONCURRENCY"]
    assert rows["metrics"] == ['["exact_match"]', "ragstone.toml"]
    assert rows["judge"] == ["local", "default"]
    assert "hidden" not in shown.output
    as_json = json.loads(CliRunner().invoke(ragstone, ["config", "--json"]).output)
    assert as_json["concurrency"] == {"value": 3, "from": "RAGSTONE_CONCURRENCY"}
    assert as_json["judges"]["value"]["mine"]["api_key"] == "***"


def test_flags_override_the_configuration_file() -> None:
    configured = CliRunner().invoke(ragstone, ["run", "cases.jsonl", "--output", "-", "--quiet"])
    (result,) = map(json.loads, configured.stdout.splitlines())
    assert (result["metric"], result["threshold"]) == ("ExactMatch", 0.25)
    by_hand = CliRunner().invoke(
        ragstone, ["run", "cases.jsonl", "-m", "answer_relevancy", "--output", "-", "--quiet"]
    )
    (result,) = map(json.loads, by_hand.stdout.splitlines())
    assert (result["metric"], result["threshold"]) == ("AnswerRelevancy", 0.5)


def test_unknown_configuration_key_exits_2(folder: Path) -> None:
    (folder / "ragstone.toml").write_text("concurency = 3\n")
    for arguments in (["config"], ["run", "cases.jsonl"]):
        run = CliRunner().invoke(ragstone, arguments)
        assert run.exit_code == 2
        assert "Did you mean 'concurrency'?" in run.output
