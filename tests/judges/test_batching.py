from pathlib import Path

import pytest

from ragstone.errors import BadOption
from ragstone.judges import CachedJudge, JuryJudge, LLMJudge, LocalJudge, ScriptedJudge
from ragstone.judges.batching import in_batches
from ragstone.prompts import ExtractClaims
from ragstone.providers import Anthropic, Ollama, OpenAI
from ragstone.result import Usage

USED = Usage(calls=1, input_tokens=1000, output_tokens=1000)
OPENAI = LLMJudge(provider=OpenAI(api_key="sk-x", base_url="http://127.0.0.1:9/v1"))
ANTHROPIC = LLMJudge(provider=Anthropic(api_key="sk-x", base_url="http://127.0.0.1:9"))


@pytest.mark.parametrize("judge", [OPENAI, ANTHROPIC], ids=["openai", "anthropic"])
def test_a_judge_in_batches_costs_half_and_is_the_same_to_a_cache(judge: LLMJudge) -> None:
    batched = in_batches(judge)
    assert isinstance(batched, LLMJudge)
    assert batched.price(USED) == pytest.approx((judge.price(USED) or 0.0) / 2)
    assert batched.fingerprint(ExtractClaims(text="x")) == judge.fingerprint(ExtractClaims(text="x"))
    assert batched.name == judge.name
    assert batched.limits is judge.limits


def test_what_stands_around_a_judge_stays_around_it(tmp_path: Path) -> None:
    cached = in_batches(CachedJudge(OPENAI, tmp_path / "answers.sqlite3"))
    assert isinstance(cached, CachedJudge)
    assert cached.path == tmp_path / "answers.sqlite3"
    assert cached.price(USED) == pytest.approx((OPENAI.price(USED) or 0.0) / 2)
    jury = in_batches(JuryJudge(jurors=[OPENAI, ANTHROPIC]))
    assert isinstance(jury, JuryJudge)
    assert all(isinstance(judge, LLMJudge) and judge.batch for judge in jury.judges)


@pytest.mark.parametrize(
    "judge",
    [
        LocalJudge(),
        ScriptedJudge(),
        LLMJudge(provider=Ollama(base_url="http://127.0.0.1:9")),
        JuryJudge(jurors=[OPENAI, LocalJudge()]),
    ],
    ids=["local", "scripted", "ollama", "a jury with a juror who cannot"],
)
def test_who_takes_no_batches_is_refused_with_what_to_write(judge: object) -> None:
    with pytest.raises(BadOption, match="cannot be asked in batches: OpenAI and Anthropic take them"):
        in_batches(judge)  # type: ignore[arg-type]
