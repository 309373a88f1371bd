import pytest
from tests.metrics.words import decisions, verdicts
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption
from ragstone.judges import ScriptedJudge
from ragstone.metrics import AnswerCorrectness
from ragstone.prompts import ExtractClaims, JudgeClaims
from ragstone.verdict import VerdictValue

FACTS = AnswerCorrectness(weights=(1, 0))


def test_f_score_counts_false_positives_and_false_negatives() -> None:
    score = FACTS.score(verdicts("yes", "yes", "no"), verdicts("yes", "yes", "no", "idk"), 0.0)
    assert score.value == pytest.approx(2 / (2 + 0.5 * (1 + 2)))
    assert score.metadata["false_negatives"] == 2


NOT_MENTIONED: list[VerdictValue] = ["idk"] * 9


def test_fuller_answer_is_no_worse_unless_compat_is_ragas() -> None:
    said, wanted = verdicts("yes", *NOT_MENTIONED), verdicts("yes")
    score = FACTS.score(said, wanted, 0.0)
    assert (score.value, score.metadata["false_positives"]) == (1.0, 0)
    ragas = AnswerCorrectness(weights=(1, 0), compat="ragas").score(said, wanted, 0.0)
    assert ragas.value == pytest.approx(2 * 0.1 / 1.1)
    assert FACTS.score(verdicts("idk"), verdicts("yes"), 0.0).value == 1.0, (
        "covered in a claim that says more"
    )
    assert FACTS.score(verdicts("idk"), verdicts("idk"), 0.0).value == 0.0


def test_the_weighted_sum_with_similarity() -> None:
    assert AnswerCorrectness().score(verdicts("yes"), verdicts("yes"), 0.8).value == pytest.approx(
        0.75 + 0.25 * 0.8
    )
    assert AnswerCorrectness(weights=(3, 1)).score(verdicts("no"), verdicts("no"), 1.0).value == 0.25


def test_recall_weighs_more_with_beta() -> None:
    said, wanted = verdicts("yes", "no", "no"), verdicts("yes")
    assert AnswerCorrectness(weights=(1, 0), beta=2).score(said, wanted, 0).value == pytest.approx(
        5 / 3 / (4 / 3 + 1)
    )


def test_an_answer_without_claims_is_not_perfect() -> None:
    """One API of a peer gives 1.0 here."""
    assert FACTS.score([], verdicts("no", "no"), 0.0).value == 0.0
    assert FACTS.score(verdicts("no"), [], 0.0).value == 0.0
    assert FACTS.score([], [], 0.0).value == 1.0


def test_zero_similarity_weight_skips_the_embedder() -> None:
    judge = ScriptedJudge().respond(ExtractClaims, {"claims": ["c"]}).respond(JudgeClaims, decisions("yes"))
    case = TestCase(input="q", actual_output="a", expected_output="b")
    result = AnswerCorrectness(weights=(1, 0), embedder="no.such:Embedder").measure(case, judge)
    assert result.score == 1.0
    assert result.usage.calls == 4
    assert result.metadata["similarity"] is None


@for_each("options", [{"weights": (0, 0)}, {"weights": (1, -1)}, {"weights": (1,)}, {"beta": 0}])
def test_answer_correctness_refuses_invalid_options(options: dict) -> None:
    with pytest.raises(BadOption):
        AnswerCorrectness(**options)
