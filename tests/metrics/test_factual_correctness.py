import pytest
from tests.metrics.words import decisions, verdicts
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, NotApplicable
from ragstone.judges import ScriptedJudge
from ragstone.metrics import FactualCorrectness
from ragstone.prompts import ExtractClaims, JudgeClaims

SAID, WANTED = verdicts("yes", "yes", "yes", "no"), verdicts("yes", "yes", "no")


@for_each("mode, ours, theirs", [("precision", 3 / 4, 0.75), ("recall", 2 / 3, 0.75), ("f1", 12 / 17, 0.75)])
def test_precision_and_recall_differ_unless_compat_is_ragas(mode: str, ours: float, theirs: float) -> None:
    assert FactualCorrectness(mode=mode).score(SAID, WANTED).value == pytest.approx(ours)  # type: ignore[arg-type]
    assert FactualCorrectness(mode=mode, compat="ragas").score(SAID, WANTED).value == theirs  # type: ignore[arg-type]


def test_fuller_answer_is_no_worse_unless_compat_is_ragas() -> None:
    said, wanted = verdicts("yes", "idk", "idk"), verdicts("yes")
    assert FactualCorrectness().score(said, wanted).value == 1.0
    assert FactualCorrectness(mode="precision").score(said, wanted).value == 1.0
    assert FactualCorrectness(mode="precision", compat="ragas").score(said, wanted).value == 0.33
    with pytest.raises(NotApplicable, match="on which the expected output decides"):
        FactualCorrectness(mode="precision").score(verdicts("idk"), wanted)


@for_each("mode, calls", [("precision", 2), ("recall", 2), ("f1", 4)])
def test_mode_decides_the_number_of_judge_calls(mode: str, calls: int) -> None:
    judge = ScriptedJudge().respond(ExtractClaims, {"claims": ["c"]}).respond(JudgeClaims, decisions("yes"))
    case = TestCase(input="q", actual_output="a", expected_output="b")
    result = FactualCorrectness(mode=mode).measure(case, judge)  # type: ignore[arg-type]
    assert result.score == 1.0
    assert result.usage.calls == calls


def test_factual_correctness_without_claims_is_not_applicable() -> None:
    with pytest.raises(NotApplicable, match="actual output"):
        FactualCorrectness(mode="precision").score([], WANTED)
    with pytest.raises(NotApplicable, match="expected output"):
        FactualCorrectness(mode="recall").score(SAID, [])
    assert FactualCorrectness().score([], WANTED[2:]).value == 0.0


@for_each("options", [{"mode": "f2"}, {"beta": -1}, {"compat": "trulens"}])
def test_factual_correctness_refuses_invalid_options(options: dict) -> None:
    with pytest.raises(BadOption):
        FactualCorrectness(**options)
