"""Settings become arguments of `evaluate`: named judges, thresholds, presets, prices."""

from pathlib import Path
from typing import Any

import pytest

from ragstone import Batch, Limits, Ray, evaluate
from ragstone.api import EvaluateOptions
from ragstone.arguments import arguments, configured_judge
from ragstone.config import Settings, read_settings
from ragstone.errors import UsageError
from ragstone.judges import LLMJudge, LocalJudge, TunedJudge
from ragstone.judges.tuned import JudgeTuning
from ragstone.metrics import Faithfulness
from ragstone.providers import OpenAI
from ragstone.result import Usage

CASE = {"input": "2 + 2?", "actual_output": "4", "expected_output": "4"}


def settings(**given: Any) -> Settings:
    return Settings.model_validate(given)


def test_default_settings_equal_the_defaults_of_evaluate() -> None:
    given = arguments(Settings())
    assert isinstance(given.pop("judge"), LocalJudge)
    report = evaluate([{**CASE, "retrieval_context": ["2 + 2 = 4"]}], **given)
    named = evaluate([{**CASE, "retrieval_context": ["2 + 2 = 4"]}])
    assert report.run.plan.metrics == named.run.plan.metrics
    assert report.run.plan.optional == named.run.plan.optional


def test_every_setting_that_is_an_option_of_evaluate_is_an_argument() -> None:
    shared = {*Settings.model_fields} & {*EvaluateOptions.model_fields}
    assert shared - {"threshold"} <= {*arguments(Settings())}


def test_threshold_in_spec_precedes_thresholds_and_threshold() -> None:
    given = settings(
        metrics=("faithfulness", "faithfulness(threshold=0.1)", "answer_relevancy"),
        threshold=0.6,
        thresholds={"Faithfulness": 0.9},
    )
    assert [metric.threshold for metric in arguments(given)["metrics"]] == [0.9, 0.1, 0.6]
    assert {metric.threshold for metric in arguments(settings(threshold=0.6))["preset"]} == {0.6}


def test_preset_from_the_configuration() -> None:
    given = settings(preset="mine", presets={"mine": ["faithfulness(threshold=0.8)"]})
    assert arguments(given)["preset"] == [Faithfulness(threshold=0.8)]
    report = evaluate(
        [CASE], **arguments(settings(preset="mine", presets={"mine": ["faithfulness", "exact_match"]}))
    )
    assert [result.metric for result in report.results[0]] == ["ExactMatch"]
    assert "Faithfulness is left out" in report.run.notes[0]
    with pytest.raises(UsageError, match="in the configuration: mine"):
        arguments(settings(preset="none", presets={"mine": []}))


def test_configured_thresholds_precede_those_of_a_preset() -> None:
    found = arguments(settings(preset="rag", thresholds={"faithfulness": 0.8}))["preset"]
    assert [metric.threshold for metric in found if isinstance(metric, Faithfulness)] == [0.8]
    default = arguments(settings(preset="rag"))["preset"]
    assert [metric.threshold for metric in default if isinstance(metric, Faithfulness)] == [1.0]


def test_judge_from_the_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = {
        "judge": "openai:big",
        "base_url": "http://localhost:1/v1",
        "api_key_env": "MY_KEY",
        "temperature": 0.5,
    }
    given = settings(judge="mine", judges={"mine": mine}, prices={"big": {"input": 2, "output": 10}})
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(UsageError, match=r"judges.mine: the variable MY_KEY"):
        arguments(given)
    monkeypatch.setenv("MY_KEY", "sk-mine")
    judge: Any = arguments(given)["judge"]
    assert isinstance(judge, LLMJudge)
    assert judge.name == "openai:big"
    assert isinstance(judge.provider, OpenAI)
    assert judge.provider.base_url == "http://localhost:1/v1"
    assert judge.provider.api_key == "sk-mine"
    assert judge.temperature == 0.5
    assert judge.price(Usage(input_tokens=1_000_000, cached_tokens=500_000, output_tokens=100_000)) == 3.0


def test_base_url_is_rejected_for_a_judge_without_provider() -> None:
    given = settings(judge="mine", judges={"mine": {"judge": "local", "base_url": "http://localhost:1"}})
    with pytest.raises(UsageError, match="no provider named 'local'"):
        configured_judge("mine", given)
    again = settings(judge="mine", judges={"mine": {"judge": "local"}})
    assert isinstance(configured_judge("mine", again), LocalJudge)


def test_engine_settings_become_one_engine() -> None:
    configured = {"ray_address": "10.0.0.1:6379", "ray_workers": 3}
    there = arguments(settings(engine="ray", **configured))
    assert there["engine"] == Ray(address="10.0.0.1:6379", workers=3)
    assert arguments(settings(**configured))["engine"] is None
    assert arguments(settings(engine="ray", ray_send_keys=True))["engine"] == Ray(send_keys=True)
    assert arguments(settings(batch=True, batch_interval=5))["engine"] == Batch(interval=5)
    with pytest.raises(UsageError, match="a batch is collected in one process"):
        arguments(settings(batch=True, engine="ray"))


def test_limit_settings_become_one_limits() -> None:
    assert arguments(settings(rpm=60, max_cost=2))["limits"] == Limits(rpm=60, max_cost=2)


HOSTILE = "[judges.mine]\njudge = 'openai'\nbase_url = 'https://evil.example/v1'\n"


def from_project(tmp_path: Path, text: str, **environment: str) -> Settings:
    (tmp_path / "ragstone.toml").write_text(text)
    return read_settings({"judge": "mine"}, start=tmp_path, environment=environment).settings


@pytest.mark.parametrize("key", ["", "api_key_env = 'OTHER_SECRET'\n"])
def test_untrusted_base_url_in_project_file_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    monkeypatch.setenv("OTHER_SECRET", "sk-other")
    with pytest.raises(UsageError, match=r"names the host evil\.example, and your key would be sent there"):
        arguments(from_project(tmp_path, HOSTILE + key))
    trusted: Any = arguments(from_project(tmp_path, HOSTILE + key, RAGSTONE_TRUSTED_HOSTS="evil.example"))
    assert trusted["judge"].provider.base_url == "https://evil.example/v1"
    named: Any = arguments(
        read_settings(
            {"judge": "mine"}, environment={"RAGSTONE_CONFIG": str(tmp_path / "ragstone.toml")}
        ).settings
    )
    assert named["judge"].provider.api_key in {"sk-mine", "sk-other"}


def test_project_base_url_is_allowed_without_a_user_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    own: Any = arguments(from_project(tmp_path, HOSTILE + "api_key = 'none'\n"))
    assert own["judge"].provider.api_key == "none"
    usual = HOSTILE.replace("https://evil.example/v1", "https://api.openai.com/v1")
    assert arguments(from_project(tmp_path, usual))["judge"].name == "openai:gpt-4o-mini"
    monkeypatch.setenv("OPENAI_BASE_URL", "https://evil.example/other")
    assert arguments(from_project(tmp_path, HOSTILE))["judge"].name == "openai:gpt-4o-mini"
    monkeypatch.delenv("OPENAI_BASE_URL")
    monkeypatch.delenv("OPENAI_API_KEY")
    keyless: Any = arguments(from_project(tmp_path, HOSTILE))
    assert keyless["judge"].provider.api_key is None


IN_THE_SPEC = (
    "judge = 'openai:gpt-4o@https://evil.example/v1'\n",
    "judge = 'mine'\n[judges.mine]\njudge = 'openai:gpt-4o@https://evil.example/v1'\n",
    "judge = 'mine'\n[judges.mine]\njudge = 'openai:gpt-4o@https://evil.example/v1'\ntemperature = 0.5\n",
    "judge = 'anthropic:claude-haiku-4-5@https://evil.example'\n",
)


@pytest.mark.parametrize("text", IN_THE_SPEC)
def test_untrusted_host_in_project_judge_spec_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-mine")
    (tmp_path / "ragstone.toml").write_text(text)
    with pytest.raises(UsageError, match=r"names the host evil\.example, and your key would be sent there"):
        arguments(read_settings(start=tmp_path, environment={}).settings)
    trusted = read_settings(start=tmp_path, environment={"RAGSTONE_TRUSTED_HOSTS": "evil.example"}).settings
    judge: Any = arguments(trusted)["judge"]
    assert "evil.example" in judge.provider.base_url


def test_host_in_a_judge_spec_of_flag_or_variable_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    (tmp_path / "ragstone.toml").write_text(IN_THE_SPEC[0])
    typed = "openai:gpt-4o@https://models.example/v1"
    for flags, variables in (({"judge": typed}, {}), ({}, {"RAGSTONE_JUDGE": typed})):
        found = read_settings(flags, start=tmp_path, environment=variables).settings
        judge: Any = arguments(found)["judge"]
        assert judge.provider.base_url == "https://models.example/v1"
    monkeypatch.delenv("OPENAI_API_KEY")
    keyless: Any = arguments(read_settings(start=tmp_path, environment={}).settings)
    assert keyless["judge"].provider.api_key is None


def test_untrusted_host_in_a_tuned_judge_file_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine")
    file = tmp_path / "judge.toml"
    tuning = JudgeTuning("openai:gpt-4o@https://evil.example/v1", "faithfulness", 0.75)
    file.write_text(tuning.to_toml())
    with pytest.raises(UsageError, match=r"names the host evil\.example, and your key would be sent there"):
        configured_judge(str(file), settings(judge=str(file)))
    trusted = configured_judge(str(file), settings(judge=str(file), trusted_hosts=("evil.example",)))
    assert isinstance(trusted, TunedJudge)
    assert trusted.tuned_threshold("faithfulness") == 0.75


def test_untrusted_hosts_in_the_options_of_litellm_are_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragstone.providers.litellm.find_spec", lambda name: name)
    for option in (
        "base_url = 'http://evil.example'",
        "base_url = 'evil.example'",
        "options = { api_base = 'http://evil.example' }",
        "options = { fallbacks = [{ api_base = 'http://evil.example' }] }",
    ):
        text = f"[judges.mine]\njudge = 'litellm:openai/gpt-4o'\n{option}\n"
        with pytest.raises(UsageError, match=r"names the host evil\.example"):
            arguments(from_project(tmp_path, text))
        assert arguments(from_project(tmp_path, text, RAGSTONE_TRUSTED_HOSTS="evil.example"))
