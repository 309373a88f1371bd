from typing import Any

import pytest
from tests.metrics.words import decisions, verdicts
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ContextualPrecision
from ragstone.metrics.shared.ranking import average_precision
from ragstone.prompts import JudgeUsefulness

CASE = TestCase(
    input="Who won the Nobel Prize in 1921?",
    expected_output="Einstein won the Nobel Prize in 1921 for the photoelectric effect.",
    retrieval_context=[
        "Einstein won the Nobel Prize in 1921.",
        "The prize was for the photoelectric effect.",
        "There was a cat.",
    ],
)


@for_each(
    "words, score",
    [
        (["no", "yes", "yes", "no", "no"], 0.58333333),
        (["yes", "yes", "no"], 1.0),
        (["yes", "no", "yes"], 0.83333333),
        (
            ["no", "yes", "yes"],
            0.58333333,
        ),  # one reference page says 0.67, which no term of the formula gives
        (["no", "no", "yes"], 0.33333333),
        (["no", "no"], 0.0),
        (["yes", "idk"], 1.0),
        (["idk", "yes"], 0.5),
    ],
)
def test_score_of_a_ranking(words: Any, score: Any) -> None:
    assert ContextualPrecision().score(verdicts(*words)).value == pytest.approx(score)


def test_useful_passages_first_scores_one_in_one_call() -> None:
    judge = ScriptedJudge().respond(JudgeUsefulness, decisions("yes", "yes", "no"))
    result = ContextualPrecision().measure(CASE, judge)
    assert result.score == 1.0
    assert result.success
    assert result.usage.calls == 1
    assert [verdict["passage"] for verdict in result.metadata["verdicts"]] == [1, 2, 3]
    assert result.metadata["relevant_count"] == 2


def test_reason_names_useless_passages_ranked_above_useful_ones() -> None:
    judge = ScriptedJudge().respond(JudgeUsefulness, decisions("no", "yes", "no"))
    reason = ContextualPrecision().measure(CASE, judge).reason
    assert "1 of 3 passages" in reason
    assert "Einstein won the Nobel Prize in 1921." in reason
    assert "cat" not in reason


@for_each("words", [["yes"], ["yes"] * 6])
def test_wrong_number_of_verdicts_is_retried_then_unreadable(words: Any) -> None:
    judge = ScriptedJudge().respond(JudgeUsefulness, decisions(*words))
    with pytest.raises(UnreadableAnswer, match="for 3 passages"):
        ContextualPrecision().measure(CASE, judge)
    assert len(judge.prompts) == judge.attempts
    assert ("missing: 2, 3" if len(words) == 1 else "surplus: 4, 5, 6") in judge.prompts[1]


def test_valid_second_answer_is_scored() -> None:
    judge = ScriptedJudge().respond(JudgeUsefulness, [decisions("yes"), decisions("yes", "no", "yes")])
    result = ContextualPrecision().measure(CASE, judge)
    assert result.score == pytest.approx(5 / 6)
    assert result.usage.calls == 2


def test_average_precision_of_nothing_is_zero() -> None:
    assert average_precision([]) == 0.0
