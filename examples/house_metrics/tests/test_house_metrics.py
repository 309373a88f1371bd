"""The metrics of the house, tested as one would in a project of one's own."""

import pytest
from house_metrics.brevity import Brevity
from house_metrics.courtesy_judge import CourtesyJudge
from house_metrics.fact_accuracy import FactAccuracy
from house_metrics.politeness import Politeness, RatePoliteness
from house_metrics.response_length import ResponseLength
from house_metrics.verbosity import Verbosity

from ragstone import TestCase
from ragstone.judges import ScriptedJudge
from ragstone.prompts import ExtractClaims, JudgeClaims
from ragstone.testing import NotMeasured, assert_fails, assert_passes, assert_score

SHORT = TestCase(input="What is 2 + 2?", actual_output="4", retrieval_context=["2 + 2 = 4"])
LONG = TestCase(input="Explain.", actual_output="word " * 200)


def test_short_responses_score_high_and_long_ones_low() -> None:
    assert_score(SHORT, Brevity, exact=1.0, max_words=10)
    assert assert_fails(LONG, Brevity, max_words=50).score == 0.25
    assert_passes(SHORT, Verbosity)
    assert_fails(LONG, Verbosity)
    assert assert_fails(SHORT, ResponseLength).score == 1 / 50
    assert assert_fails(LONG, ResponseLength, max_chars=100).score == pytest.approx(0.1)


def test_politeness_is_the_judges_rating() -> None:
    judge = ScriptedJudge().respond(RatePoliteness, {"reason": "Curt.", "rating": 5})
    result = assert_fails(SHORT, Politeness, judge=judge)
    assert (result.score, result.reason) == (0.5, "Curt.")
    assert "4" in judge.prompts[0]


def test_a_rating_out_of_range_is_asked_again() -> None:
    answers = [{"reason": "Great!", "rating": 11}, {"reason": "Polite.", "rating": 9}]
    assert (
        assert_passes(SHORT, Politeness, judge=ScriptedJudge().respond(RatePoliteness, answers)).score == 0.9
    )


def test_facts_are_counted() -> None:
    judge = (
        ScriptedJudge()
        .respond(ExtractClaims, {"claims": ["One.", "Two."]})
        .respond(
            JudgeClaims,
            {"verdicts": [{"reason": None, "verdict": "yes"}, {"reason": "No.", "verdict": "no"}]},
        )
    )
    result = assert_fails(SHORT, FactAccuracy, judge=judge)
    assert (result.score, result.reason) == (0.5, "1 of 2 facts are verified.")
    assert FactAccuracy().score(()).value == 1.0


def test_courtesies_are_counted_and_other_questions_declined() -> None:
    polite = TestCase(input="?", actual_output="Dear guest, you are welcome.")
    assert_score(polite, Politeness, judge=CourtesyJudge(), exact=0.9)
    with pytest.raises(NotMeasured, match="cannot answer ExtractClaims"):
        assert_passes(SHORT, FactAccuracy, judge=CourtesyJudge())
