import asyncio
import json
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, every

from ragstone import evaluate
from ragstone.errors import BadOption, NotCached, ProviderError
from ragstone.judges import CachedJudge, CacheWarning, LLMJudge, LocalJudge, Reply, ScriptedJudge
from ragstone.judges.cache.answer_cache import AnswerCache
from ragstone.judges.cached import _cache_key, with_cache
from ragstone.metrics import Faithfulness, GEval
from ragstone.prompts import Claims, ExtractClaims, FillForm, Prompt
from ragstone.providers import Completion, OpenAI, Request, Token
from ragstone.result import Usage

pytestmark = pytest.mark.anyio
PROMPT = ExtractClaims(text="Paris is the capital of France.")
CASES = [
    {
        "input": f"Question {number}?",
        "actual_output": f"Answer {number}.",
        "retrieval_context": [f"Passage {number}."],
    }
    for number in range(4)
]


@dataclass(frozen=True, kw_only=True)
class Model:
    """A provider that answers with its own model's name, and counts."""

    name = "fake"
    supports_structured_outputs = True
    supports_log_probs = True
    supports_multimodal = False

    model: str = "a"
    seed: int = 0
    api_key: str = field(default="sk-very-secret", repr=False)
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    asked: list[Request] = field(default_factory=list[Request], compare=False, repr=False)
    failures: list[Exception] = field(default_factory=list[Exception], compare=False, repr=False)

    async def complete(self, request: Request) -> Completion:
        self.asked.append(request)
        await asyncio.sleep(0.01)
        if self.failures:
            raise self.failures.pop(0)
        text = json.dumps({"claims": [f"{self.model} {len(self.asked)}"]})
        tokens: tuple[Token, ...] = ()
        if request.schema["properties"].get("score"):
            text = '{"reason": "r", "score": 7}'
            tokens = (
                Token('{"reason": "r", "score": ', 0.0),
                Token("7", -0.1, (("7", -0.1), ("9", -2.0))),
                Token("}", 0.0),
            )
        return Completion(text, Usage(calls=1, input_tokens=10, output_tokens=5), self.model, tokens)


def judge(model: Model, **options: Any) -> LLMJudge:
    return LLMJudge(provider=model, prices={"a": (1.0, 1.0, 1.0)}, **options)


async def soon(look: Callable[[], Any]) -> Any:
    """What `look` finds once it is written."""
    for _ in range(1000):
        found = look()
        if found is not None:
            break
        await asyncio.sleep(0.005)
    return found


async def test_cached_answer_is_not_asked_again(tmp_path: Path) -> None:
    path, model = tmp_path / "c", Model()
    first = await CachedJudge(judge(model), path).ask(PROMPT)
    assert (first.usage.calls, first.recorded) == (1, False)
    again = CachedJudge(judge(model), path)
    found = await soon(lambda: again.recall(PROMPT))
    assert found == Reply(first.answer, Usage(), cost=0.0, response=first.response, recorded=True)
    assert await again.ask(PROMPT) == found
    assert len(model.asked) == 1


async def test_offline_replay_reports_the_recorded_usage_and_cost(tmp_path: Path) -> None:
    path, model = tmp_path / "c", Model()
    online = CachedJudge(judge(model), path)
    first = await online.ask(PROMPT)
    online.close()
    replay = await CachedJudge(judge(model), path, offline=True).ask(PROMPT)
    assert (replay.answer, replay.usage, replay.cost) == (first.answer, first.usage, first.cost)
    assert replay.cost == pytest.approx(15e-6)
    with pytest.raises(
        NotCached, match=r"fake:a is offline, and its answer to this ExtractClaims is not in .*c: run once"
    ):
        await CachedJudge(judge(model), path, offline=True).ask(ExtractClaims(text="other"))
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    "other",
    [
        judge(Model(model="b")),
        judge(Model(seed=1)),
        judge(Model(options={"top_p": 0.1})),
        judge(Model(), temperature=0.5),
        judge(
            Model(),
            replacements={ExtractClaims: type("Mine", (ExtractClaims,), {"instruction": "Other words."})},
        ),
    ],
    ids=["model", "parameter", "option", "temperature", "wording"],
)
async def test_one_judge_never_gets_the_answer_of_another(tmp_path: Path, other: LLMJudge) -> None:
    path = tmp_path / "c"
    mine = CachedJudge(judge(Model()), path)
    await mine.ask(PROMPT)
    mine.close()
    assert mine.recall(PROMPT) is not None
    assert CachedJudge(other, path).recall(PROMPT) is None


async def test_samples_of_a_form_have_different_fingerprints(tmp_path: Path) -> None:
    form = FillForm(steps=("s",), case_fields=(("input", "i"),), sampled=True)
    cached = CachedJudge(judge(Model()), tmp_path / "c")
    prints = {cached.fingerprint(replace(form, sample=number)) for number in range(3)}
    assert len(prints) == 3


async def test_the_distribution_over_ratings_comes_back(tmp_path: Path) -> None:
    form = FillForm(steps=("s",), case_fields=(("input", "i"),))
    cached = CachedJudge(judge(Model()), tmp_path / "c")
    first = await cached.ask(form)
    cached.close()
    found = cached.recall(form)
    assert found is not None
    assert found.answer == first.answer
    assert found.answer.distribution is not None
    assert set(found.answer.distribution) == {7, 9}


async def test_no_secret_is_kept_and_a_new_key_finds_the_old_answers(tmp_path: Path) -> None:
    path = tmp_path / "c"
    cached = CachedJudge(judge(Model()), path)
    await cached.ask(PROMPT)
    cached.close()
    assert b"sk-very-secret" not in path.read_bytes()
    assert "sk-very-secret" not in str(cached.fingerprint(PROMPT))
    assert CachedJudge(judge(Model(api_key="sk-another")), path).recall(PROMPT) is not None


async def test_a_failure_is_not_kept_and_its_claim_given_up(tmp_path: Path) -> None:
    model = Model(failures=[ProviderError("down")])
    cached = CachedJudge(judge(model), tmp_path / "c")
    with pytest.raises(ProviderError):
        await cached.ask(PROMPT)
    reply = await asyncio.wait_for(cached.ask(PROMPT), 5)
    assert not reply.recorded


async def test_an_answer_that_breaks_its_contract_by_now_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "c"
    cached = CachedJudge(judge(Model()), path)
    key = _cache_key(str(cached.fingerprint(PROMPT)))
    for text in (
        '{"response": "{\\"claims\\": 3}", "beside": {}, "usage": {}, "cost": null}',
        "no JSON",
        "{}",
    ):
        AnswerCache(path, max_bytes=2**20).write(key, text)
        await asyncio.sleep(0.05)
        assert cached.recall(PROMPT) is None
        cached.close()
    assert (await cached.ask(PROMPT)).answer == Claims(claims=("a 1",))


async def test_concurrent_asks_for_one_prompt_make_one_call(tmp_path: Path) -> None:
    model, path = Model(), tmp_path / "c"
    several = [CachedJudge(judge(model), path) for _ in range(4)]
    replies = await asyncio.gather(*(each.ask(PROMPT) for each in several))
    assert len(model.asked) == 1
    assert all(reply.answer == replies[0].answer for reply in replies)


def test_a_judge_that_cannot_tell_prompts_apart_is_not_cached(tmp_path: Path) -> None:
    class Mine:
        name = "mine"

        async def ask(self, prompt: Prompt[Any]) -> Any: ...

    with pytest.raises(BadOption, match=r"mine cannot be cached.*fingerprint\(prompt\)"):
        CachedJudge(Mine(), tmp_path / "c")
    with pytest.raises(BadOption, match="mine cannot be cached"):
        with_cache(Mine(), None, offline=True)
    with pytest.raises(BadOption, match="is too small"):
        CachedJudge(judge(Model()), tmp_path / "c", max_bytes=0)


async def test_answers_of_a_provider_without_fingerprint_are_not_cached(tmp_path: Path) -> None:
    class Opaque:
        name = "opaque"
        model = "m"
        supports_structured_outputs = supports_log_probs = supports_multimodal = False

        async def complete(self, request: Request) -> Completion:
            del request
            return Completion('{"claims": []}', Usage(calls=1), "m")

    class Told(Opaque):
        fingerprint = "told:m"

    cached = CachedJudge(LLMJudge(provider=Opaque()), tmp_path / "c")
    with pytest.warns(CacheWarning, match="Answers of Opaque are not cached"):
        assert not (await cached.ask(PROMPT)).recorded
    assert not (await cached.ask(PROMPT)).recorded
    with pytest.raises(NotCached):
        await CachedJudge(cached.judge, tmp_path / "c", offline=True).ask(PROMPT)
    told = CachedJudge(LLMJudge(provider=Told()), tmp_path / "c")
    await told.ask(PROMPT)
    assert (await told.ask(PROMPT)).recorded


def test_local_and_scripted_judges_are_not_wrapped_by_with_cache(tmp_path: Path) -> None:
    for local in (LocalJudge(), ScriptedJudge()):
        assert with_cache(local, tmp_path / "c", offline=True) is local
    model = judge(Model())
    assert with_cache(model, None) is model
    assert with_cache(model, False) is model
    cached = CachedJudge(model, tmp_path / "c")
    offline = with_cache(cached, None, offline=True)
    assert isinstance(offline, CachedJudge)
    assert (offline.path, offline.offline, offline.judge) == (cached.path, True, model)


def test_cached_judge_can_be_pickled(tmp_path: Path) -> None:
    cached = pickle.loads(pickle.dumps(CachedJudge(judge(Model()), tmp_path / "c", offline=True)))  # noqa: S301  (just made)
    assert (cached.name, cached.path, cached.offline) == ("fake:a", tmp_path / "c", True)


def script() -> Script:
    return Script(
        claims=lambda ask: [f"Claim: {re.findall(r'^[|] (.*)', ask.user, re.MULTILINE)[-1]}", "Another."],
        truths=["A truth."],
        verdicts=every("yes"),
        steps=["Look."],
        score=8,
        reason="Good.",
    )


def lines(report: Any) -> list[dict[str, Any]]:
    found = [json.loads(result.model_dump_json()) for results in report.results for result in results]
    return [{name: value for name, value in line.items() if name != "latency_ms"} for line in found]


def test_a_second_run_makes_no_call_and_an_offline_one_is_the_first_again(tmp_path: Path) -> None:
    metrics = [Faithfulness(), GEval(name="Fit", criteria="Does it fit?")]
    with serving(OpenAIServer(script())) as server:
        provider = OpenAI(model="gpt-4o-mini", api_key="sk-loopback", base_url=server.base_url)
        first = evaluate(CASES, metrics, judge=LLMJudge(provider=provider), cache=tmp_path / "c")
        calls = len(server.requests)
        second = evaluate(CASES, metrics, judge=LLMJudge(provider=provider), cache=tmp_path / "c")
        assert len(server.requests) == calls > 0
    replay = evaluate(CASES, metrics, judge=LLMJudge(provider=provider), cache=tmp_path / "c", offline=True)
    assert lines(replay) == lines(first)
    assert second.usage.calls == 0
    assert second.cost == 0
    assert [[result.score for result in results] for results in second.results] == [
        [result.score for result in results] for results in first.results
    ]
    miss = evaluate(
        [{**CASES[0], "actual_output": "Else."}],
        metrics,
        judge=LLMJudge(provider=provider),
        cache=tmp_path / "c",
        offline=True,
    )
    assert all("NotCached: openai:gpt-4o-mini is offline" in str(result.error) for result in miss.results[0])


def test_a_recording_is_replayed_without_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    report = evaluate(CASES[:1], [Faithfulness()], judge="openai", cache=tmp_path / "c", offline=True)
    assert "NotCached" in str(report.results[0][0].error)


def test_several_processes_make_each_call_once_or_at_worst_twice(tmp_path: Path) -> None:
    program = """
import sys
import json
from ragstone import evaluate
from ragstone.metrics import Faithfulness
report = evaluate(json.loads(sys.argv[2]), [Faithfulness()], judge="openai", cache=sys.argv[1])
assert all(result.score == 1.0 for results in report.results for result in results), report.results
"""
    root = Path(__file__).parents[2]
    with serving(OpenAIServer(script(), latency=0.05)) as server:
        environment = {
            **os.environ,
            "OPENAI_BASE_URL": server.base_url,
            "OPENAI_API_KEY": "sk-loopback",
            "PYTHONPATH": f"{root / 'src'}:{root}",
        }
        command = [sys.executable, "-c", program, str(tmp_path / "c"), json.dumps(CASES)]
        running = [subprocess.Popen(command, env=environment, cwd=root) for _ in range(4)]
        assert [process.wait(60) for process in running] == [0, 0, 0, 0]
        bodies = [json.dumps(body, sort_keys=True) for body in server.bodies]
    assert len(set(bodies)) == 2 * len(CASES)  # claims, and verdicts on them
    assert len(bodies) <= 2 * len(set(bodies))
