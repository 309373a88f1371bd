"""Combined prompts in runs: same scores, fewer calls, and what happens where an answer cannot be used."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from benchmarks.cases import cases
from hypothesis import given
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from benchmarks import answers as fake
from ragstone import evaluate
from ragstone.api import estimate
from ragstone.engine.combining import divide
from ragstone.errors import BadOption, TimedOut
from ragstone.event import Event, JudgeCalled
from ragstone.findings import Report
from ragstone.judges import JuryJudge, LLMJudge, ScriptedJudge
from ragstone.judges.tuned import JudgeTuning, TunedJudge
from ragstone.prompts import ExtractClaims
from ragstone.prompts.base.guidance import Guidance
from ragstone.providers import Completion, OpenAI, Request
from ragstone.providers.http.failures import unusable_answer
from ragstone.result import NO_USAGE, Usage

PRICES = {"fake": (1.0, 1.0, 4.0)}
Spoil = Callable[[dict[str, Any]], str]


def whole(answer: dict[str, Any]) -> str:
    return json.dumps(answer)


@dataclass
class FakeModel:
    """A model that fills any schema, always alike for the same item; `spoil` writes its answers to combined prompts."""

    spoil: Spoil = whole
    supports_structured_outputs: bool = True
    supports_log_probs: bool = False
    supports_multimodal: bool = False
    name: str = "fake"
    model: str = "fake"
    requests: list[Request] = field(default_factory=list[Request], repr=False)
    taken: Usage = NO_USAGE

    async def complete(self, request: Request) -> Completion:
        await asyncio.sleep(0)
        self.requests.append(request)
        combined = "task_1" in request.schema["properties"]
        answer = fake.answer(fake.resolved(request.schema), request.user)
        usage = Usage(
            calls=1, input_tokens=len(request.user) // 4, output_tokens=len(json.dumps(answer)) // 4
        )
        self.taken += usage
        text = self.spoil(answer) if combined else json.dumps(answer)
        return Completion(text=text, usage=usage, model=self.model)


LENIENT = "faithfulness(evidence='truths', penalize_ambiguous_claims=False)"


def run(model: FakeModel, *, count: int = 3, preset: str | None = "deepeval", **options: Any) -> Report:
    judge = LLMJudge(provider=model, prices=PRICES)
    return evaluate(cases(count), preset=preset, judge=judge, **{"store": False, **options})


def scores(report: Report) -> list[list[float | None]]:
    return [[result.score for result in row] for row in report.results]


def verdicts(report: Report) -> list[Any]:
    return [result.metadata for row in report.results for result in row]


@pytest.fixture(scope="module")
def separate() -> Report:
    return run(FakeModel())


@pytest.mark.parametrize("percent", [100, 80, 30], ids=["always yes", "mostly yes", "mostly no"])
def test_combined_preset_takes_six_calls_with_equal_scores(
    percent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fake, "_PERCENT_YES", percent)
    monkeypatch.setattr(fake, "_PERCENT_NO", (100 - percent) * 2 // 3)
    apart, together = FakeModel(), FakeModel()
    one, other = run(apart, count=8), run(together, count=8, combine=True)
    assert (len(apart.requests), len(together.requests)) == (72, 48)
    assert scores(one) == scores(other)
    assert verdicts(one) == verdicts(other)
    assert together.taken.input_tokens < 0.9 * apart.taken.input_tokens


@pytest.mark.parametrize("concurrency", [1, 2, 64])
def test_prompts_of_a_case_are_combined_at_any_concurrency(concurrency: int, separate: Report) -> None:
    model = FakeModel()
    report = run(model, combine=True, concurrency=concurrency)
    assert len(model.requests) == 3 * 6
    assert scores(report) == scores(separate)


def test_usage_and_cost_of_the_parts_add_up_to_what_the_model_took() -> None:
    model, called = FakeModel(), list[Event]()
    report = run(model, combine=True, listeners=[called.append])
    told = [event for event in called if isinstance(event, JudgeCalled)]
    assert report.usage == sum((event.usage for event in told), Usage()) == model.taken
    price = (model.taken.input_tokens + 4 * model.taken.output_tokens) / 1e6
    assert sum(event.cost or 0.0 for event in told) == pytest.approx(price)
    assert sum(result.evaluation_cost or 0.0 for row in report.results for result in row) == pytest.approx(
        price
    )
    assert Counter(event.prompt for event in told) == Counter(
        {
            "JudgeUsefulness": 3,
            "AttributeStatements": 3,
            "JudgePassages": 3,
            "ExtractTruths": 3,
            "ExtractStatements": 3,
            "ExtractClaims": 3,
            "JudgeAgreement": 3,
            "JudgeClaims": 3,
            "JudgeStatements": 3,
        }
    )
    assert all(event.usage.input_tokens and event.usage.output_tokens and event.cost for event in told)


def without(name: str) -> Spoil:
    return lambda answer: json.dumps({key: value for key, value in answer.items() if key != name})


def broken(name: str) -> Spoil:
    return lambda answer: json.dumps({**answer, name: {"verdicts": "?"}})


def cut(answer: dict[str, Any]) -> str:
    text = json.dumps(answer)
    return text[: 2 * len(text) // 3]


def cut_by_length(answer: dict[str, Any]) -> str:
    spent = Usage(calls=1, input_tokens=100, output_tokens=100)
    raise unusable_answer("fake reached its token limit", spent, partial=cut(answer))


def refused(answer: dict[str, Any]) -> str:
    del answer
    raise unusable_answer("fake refused to answer: 'no'", Usage(calls=1, input_tokens=100, output_tokens=2))


@pytest.mark.parametrize(
    ("spoil", "calls"),
    [
        (without("task_2"), 3 * (6 + 3)),
        (broken("task_1"), 3 * (6 + 3)),
        (cut, 3 * (6 + 6)),
        (cut_by_length, 3 * (6 + 6)),
        (refused, 3 * (6 + 6)),
        (lambda _: "I would rather not.", 3 * (6 + 6)),
    ],
    ids=["a part missing", "a part unusable", "broken off", "cut by length", "refused", "prose"],
)
def test_unusable_parts_are_asked_separately(spoil: Spoil, calls: int, separate: Report) -> None:
    model = FakeModel(spoil)
    report = run(model, combine=True)
    assert len(model.requests) == calls
    assert scores(report) == scores(separate)
    assert verdicts(report) == verdicts(separate)
    assert report.usage.calls == calls


def test_a_time_out_fails_all_parts_and_counts_once() -> None:
    def late(answer: dict[str, Any]) -> str:
        del answer
        error = TimedOut("no answer in time")
        error.spent = Usage(calls=1, input_tokens=7)
        raise error

    called = list[Event]()
    model = FakeModel(late)
    asked = ["answer_relevancy", "faithfulness(evidence='context')"]
    report = run(model, count=1, preset=None, metrics=asked, combine=True, listeners=[called.append])
    assert [result.error_type for result in report.results[0]] == ["TimedOut", "TimedOut"]
    told = [event for event in called if isinstance(event, JudgeCalled)]
    errors = [(event.prompt, event.usage) for event in told if event.error]
    assert errors == [("CombinedPrompt", Usage(calls=1, input_tokens=7))]
    assert report.usage == sum((event.usage for event in told), Usage())
    assert report.usage.calls == len(model.requests) == 1


def test_each_part_is_cached_under_its_own_key(tmp_path: Path, separate: Report) -> None:
    first, later = FakeModel(), FakeModel()
    run(first, combine=True, cache=tmp_path / "answers")
    alone = run(later, preset=None, metrics=[LENIENT], cache=tmp_path / "answers")
    assert not later.requests
    place = [result.metric for result in separate.results[0]].index("Faithfulness")
    assert [row[0].score for row in alone.results] == [row[place].score for row in separate.results]
    offline = run(later, combine=True, cache=tmp_path / "answers", offline=True)
    assert not later.requests
    assert offline.usage == first.taken


def test_offline_names_the_prompt_that_is_not_recorded(tmp_path: Path) -> None:
    report = run(FakeModel(), count=1, combine=True, cache=tmp_path / "answers", offline=True)
    assert "its answer to this ExtractStatements is not in" in str(report.results[0][3].error)


def test_the_estimate_is_exact_where_it_depends_on_no_answer() -> None:
    judge = LLMJudge(provider=FakeModel())
    found = estimate(cases(5), preset="deepeval", judge=judge, combine=True)
    assert found.calls.least == 5 * 4  # nothing claimed, nothing to judge
    assert found.calls.most == 5 * 6
    retrieval = ["contextual_precision", "contextual_recall", "contextual_relevancy"]
    found = estimate(cases(5), retrieval, judge=judge, combine=True)
    assert found.calls.least == found.calls.most == 5 * 2


def test_repeats_are_combined_separately(separate: Report) -> None:
    model = FakeModel()
    report = run(model, combine=True, repeats=2)
    assert len(model.requests) == 2 * 3 * 6
    assert scores(report) == scores(separate)


def test_a_scripted_judge_answers_part_by_part() -> None:
    judge = (
        ScriptedJudge()
        .respond(ExtractClaims, [{"claims": 1}, {"claims": []}])
        .respond("statements of the text", {"statements": []})
    )
    report = evaluate(
        cases(1), ["answer_relevancy", "faithfulness(evidence='context')"], judge=judge, combine=True
    )
    assert scores(report) == [[1.0, 1.0]]
    assert len(judge.prompts) == 2


def test_replaced_prompt_is_used_in_the_combined_prompt() -> None:
    class MyExtractClaims(ExtractClaims):
        instruction = "Name the claims in the text, please."

    model = FakeModel()
    judge = LLMJudge(provider=model, replacements={ExtractClaims: MyExtractClaims})
    evaluate(cases(1), ["answer_relevancy", "faithfulness"], judge=judge, combine=True)
    assert any("task_2, from input, text:\nName the claims" in request.user for request in model.requests)


def refused_options() -> Iterator[tuple[dict[str, Any], str]]:
    model = LLMJudge(provider=FakeModel())
    yield {"judge": "local"}, "local answers in this process, so combining prompts saves no calls"
    yield {"judge": JuryJudge(jurors=[model, model])}, "answers each prompt separately"
    tuning = JudgeTuning("fake", "faithfulness", prompts=("JudgeClaims",), guidance=Guidance(rules=("r",)))
    yield {"judge": TunedJudge(model, tuning)}, "answers each prompt separately"
    yield {"judge": model, "engine": "ray"}, "with engine='ray'"
    yield {"judge": LLMJudge(provider=OpenAI(api_key="k")), "batch": True}, "one process without batches"


@for_each("options, message", list(refused_options()))
def test_combine_is_refused_for_judges_and_engines_without_it(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadOption, match=f"combine=True.*{message}"):
        evaluate(cases(1), preset="deepeval", combine=True, **options)
    if "engine" not in options:
        with pytest.raises(BadOption, match=f"combine=True.*{message}"):
            estimate(cases(1), preset="deepeval", combine=True, **options)


@given(st.integers(0, 10**6), st.lists(st.integers(0, 10**5), min_size=1, max_size=6))
def test_shares_are_whole_and_add_up(total: int, weights: list[int]) -> None:
    shares = divide(total, weights)
    assert sum(shares) == total
    assert all(share >= 0 for share in shares)
    if any(weights):
        exact = [total * weight / sum(weights) for weight in weights]
        assert all(abs(share - wanted) <= 1 for share, wanted in zip(shares, exact, strict=True))
