import asyncio

import pytest
from tests.metrics.words import decisions
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, ProviderError, TimedOut
from ragstone.judges import JuryJudge, ScriptedJudge
from ragstone.metrics import (
    AnswerRelevancy,
    AspectCritique,
    ContextualPrecision,
    ContextualRecall,
    ContextualRelevancy,
    Faithfulness,
    GEval,
)
from ragstone.prompts import (
    AttributeStatements,
    ExtractClaims,
    ExtractStatements,
    FillForm,
    JudgeAspect,
    JudgeClaims,
    JudgePassages,
    JudgeStatements,
    JudgeUsefulness,
)

CASE = TestCase(input="q", actual_output="a", expected_output="e", retrieval_context=["one", "two"])


def juror(name: str, *words: str, claims: tuple[str, ...] = ("c1", "c2")) -> ScriptedJudge:
    judge = ScriptedJudge(name=name).respond(ExtractClaims, {"claims": list(claims)})
    judge.respond(ExtractStatements, {"statements": ["s1", "s2"]})
    for prompt in (JudgeClaims, JudgeStatements, JudgeUsefulness):
        judge.respond(prompt, decisions(*words))
    return judge


def jury(*jurors: ScriptedJudge, quorum: int = 1) -> JuryJudge:
    return JuryJudge(jurors=jurors, quorum=quorum)


def test_majority_decides_and_agreement_is_reported() -> None:
    three = jury(juror("a", "yes", "no"), juror("b", "yes", "yes"), juror("c", "no", "no"))
    result = ContextualPrecision().measure(CASE, three)
    assert [verdict["verdict"] for verdict in result.metadata["verdicts"]] == ["yes", "no"]
    assert [verdict["probability"] for verdict in result.metadata["verdicts"]] == pytest.approx(
        [2 / 3, 1 / 3]
    )
    assert result.metadata["jury"][0]["agreement"] == pytest.approx(2 / 3)
    assert result.judge == "jury(a, b, c)"
    assert result.usage.calls == 3


def test_a_tie_is_undecided() -> None:
    two = jury(juror("a", "yes", "yes"), juror("b", "no", "yes"))
    assert ContextualPrecision().measure(CASE, two).metadata["verdicts"][0]["verdict"] == "idk"


def test_a_juror_that_fails_is_named_and_left_out() -> None:
    broken = ScriptedJudge(name="broken").respond(".", TimedOut("no answer within 60 s"))
    three = jury(juror("a", "yes", "no"), broken, juror("c", "yes", "no"))
    result = ContextualPrecision().measure(CASE, three)
    assert result.score == 1.0
    assert result.metadata["jury"][0]["left_out"] == {"broken": "TimedOut: no answer within 60 s"}
    assert result.metadata["jury"][0]["jurors"] == ["a", "c"]


def test_with_fewer_than_the_quorum_the_first_failure_is_raised() -> None:
    broken = [ScriptedJudge(name=name).respond(".", ProviderError(f"{name} is down")) for name in ("x", "y")]
    with pytest.raises(ProviderError, match="x is down"):
        ContextualPrecision().measure(CASE, jury(*broken))
    with pytest.raises(ProviderError):
        ContextualPrecision().measure(CASE, jury(juror("a", "yes", "no"), broken[1], quorum=2))


def test_all_jurors_judge_the_claims_of_the_first() -> None:
    """Claims cannot be voted on: the second juror's three would not fit the first one's two."""
    two = jury(juror("a", "yes", "no"), juror("b", "yes", "no", claims=("x", "y", "z")))
    result = Faithfulness(evidence="context").measure(CASE, two)
    assert result.metadata["claims"] == ["c1", "c2"]
    assert result.score == 0.5
    assert AnswerRelevancy().measure(CASE, two).metadata["statements"] == ["s1", "s2"]


def test_statements_with_verdicts_are_judged_by_all_jurors() -> None:
    attributed = {
        "verdicts": [{"statement": s, "reason": None, "verdict": "yes", "passage": 1} for s in ("s1", "s2")]
    }
    first = juror("a").respond(AttributeStatements, attributed)
    others = [juror(name, "no", "yes").respond(AttributeStatements, attributed) for name in ("b", "c")]
    result = ContextualRecall().measure(CASE, jury(first, *others))
    assert result.score == 0.5
    assert result.usage.calls == 5
    assert result.metadata["jury"][0]["agreement"] == pytest.approx((2 / 3 + 1) / 2)


def test_passage_statements_are_judged_by_all_jurors() -> None:
    found = {"verdicts": [{"passage": n, "statement": "s", "reason": None, "verdict": "yes"} for n in (1, 2)]}
    jurors = [juror(name, "no", "no").respond(JudgePassages, found) for name in ("a", "b", "c")]
    assert ContextualRelevancy().measure(CASE, jury(*jurors)).score == 0.0


def test_ratings_are_averaged() -> None:
    scores = (6, 8, 9)
    jurors = [
        ScriptedJudge(name=str(score)).respond(FillForm, {"reason": f"r{score}", "score": score})
        for score in scores
    ]
    result = GEval(name="Tone", evaluation_steps=["Look."]).measure(CASE, jury(*jurors))
    assert result.score == pytest.approx(23 / 30)
    assert result.reason == "r8"
    assert result.metadata["mode"] == "jurors"


def test_aspect_verdicts_are_voted_on() -> None:
    said = ("yes", "no", "no")
    jurors = [
        ScriptedJudge(name=str(n)).respond(JudgeAspect, {"reason": word, "verdict": word})
        for n, word in enumerate(said)
    ]
    assert AspectCritique(name="coherence").measure(CASE, jury(*jurors)).score == 0.0


def test_a_mistake_in_a_juror_is_not_hidden() -> None:
    class Mistaken:
        name = "mistaken"

        async def ask(self, prompt: object) -> object:
            raise ZeroDivisionError(prompt)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(
            JuryJudge(jurors=[Mistaken(), juror("a")]).ask(JudgeClaims(evidence_texts=("e",), claims=("c",)))
        )  # type: ignore[list-item]


@for_each("options", [{"jurors": "local"}, {"jurors": ["local"]}, {"jurors": ["local"] * 2, "quorum": 3}])
def test_invalid_jury_options_are_refused(options: dict) -> None:
    with pytest.raises(BadOption):
        JuryJudge(**options)


def test_jurors_may_be_specs() -> None:
    assert JuryJudge(jurors=["local", "local"]).name == "jury(local, local)"
