from pathlib import Path

import pytest

from ragstone import TestCase, evaluate
from ragstone.judges import LLMJudge, ScriptedJudge, TunedJudge, get_judge
from ragstone.judges.tuned import JudgeTuning
from ragstone.prompts import ExtractClaims, JudgeClaims, RateAnswer
from ragstone.prompts.base.guidance import DecidedExample, Guidance
from ragstone.providers import OpenAI

GUIDANCE = Guidance((DecidedExample("c9", (("actual output", "Some."),), "fail"),))
TUNING = JudgeTuning("scripted", "faithfulness", 0.75, ("JudgeClaims",), GUIDANCE)
CASE = TestCase(
    input="How long?", actual_output="Two years. It is red.", retrieval_context=["It lasts two years."]
)


def scripted() -> ScriptedJudge:
    verdicts = [{"reason": None, "verdict": "yes"}, {"reason": "no word of it", "verdict": "idk"}]
    return (
        ScriptedJudge()
        .respond(JudgeClaims, {"verdicts": verdicts})
        .respond(ExtractClaims, {"claims": ["It lasts two years.", "It is red."]})
    )


def test_only_the_prompts_that_decide_show_the_examples() -> None:
    judge = scripted()
    metric = "faithfulness(penalize_ambiguous_claims=True, evidence='context')"
    report = evaluate([CASE], metric, judge=TunedJudge(judge, TUNING))
    assert report.results[0][0].score == 0.5
    assert ["example 1 was decided by people: fail." in text for text in judge.prompts] == [False, True]
    assert report.run.plan.judge == f"scripted+tuned-{TUNING.digest[:8]}"


def test_tuned_threshold_applies_only_to_its_metric() -> None:
    tuned = TunedJudge(scripted(), JudgeTuning("scripted", "exact_match", 0.25))
    case = CASE.model_copy(update={"expected_output": "Two years. It is red."})
    report = evaluate([case], ["exact_match", "exact_match(normalize_whitespace=True)"], judge=tuned)
    assert [result.spec for result in report.results[0]] == [
        "exact_match(threshold=0.25)",
        "exact_match(normalize_whitespace=True)",
    ]


def test_tuning_changes_wording_and_fingerprint_of_deciding_prompts() -> None:
    plain = LLMJudge(provider=OpenAI(model="gpt-4o-mini", api_key="none"))
    tuned = TunedJudge(plain, TUNING)
    claims = JudgeClaims(evidence_texts=("a",), claims=("a",))
    extract = RateAnswer(input="a", actual_output="a")
    assert tuned.wording(JudgeClaims) != plain.wording(JudgeClaims)
    assert tuned.wording(RateAnswer) == plain.wording(RateAnswer)
    assert tuned.fingerprint(claims) != plain.fingerprint(claims)
    assert tuned.fingerprint(extract) == plain.fingerprint(extract)
    assert tuned.in_batches().name == tuned.name


def test_judge_file_is_a_judge_spec(tmp_path: Path) -> None:
    path = tmp_path / "judge.toml"
    path.write_text(JudgeTuning("local", "faithfulness", 0.9).to_toml(), encoding="utf-8")
    judge = get_judge(str(path))
    assert isinstance(judge, TunedJudge)
    assert judge.name.startswith("local+tuned-")
    assert judge.tuned_threshold("faithfulness") == 0.9
    assert not judge.reads_examples
    report = evaluate([CASE], "faithfulness", judge=str(path))
    assert report.run.plan.metrics == ("faithfulness(threshold=0.9)",)
    assert report.results[0][0].threshold == pytest.approx(0.9)
