from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ContextSufficiency, parse
from ragstone.prompts import ReviewCase

PASSAGES = ["Parking is free.", "Open until 6 pm.", "Adults pay 5 euros."]
REVIEW: dict[str, Any] = {
    "unanswered": [],
    "faults": [],
    "deciding": [3],
    "answer": "cannot_tell",
    "context": "sufficient",
    "rank": 3,
}


def measured(review: Any, k: int | None = None, passages: Any = PASSAGES) -> Any:
    case = TestCase(input="What is the entry?", retrieval_context=passages)
    return ContextSufficiency(k=k).measure(case, ScriptedJudge().respond(ReviewCase, review))


@for_each(
    "changes, k, score, reason",
    [
        ({}, None, 1, "The passages are sufficient; passage 3 answers the main thing asked."),
        ({}, 3, 1, "The passages are sufficient; passage 3 answers the main thing asked."),
        ({}, 2, 0, "The passages are sufficient; passage 3 answers the main thing asked, below rank 2."),
        ({"rank": None}, 2, 1, "The passages are sufficient."),
        ({"context": "insufficient", "rank": None}, None, 0, "The passages lack what a right answer needs."),
        ({"context": "insufficient", "rank": 1}, 2, 0, "The passages lack what a right answer needs."),
    ],
)
def test_score_follows_from_the_review_and_the_rank(
    changes: Any, k: int | None, score: float, reason: str
) -> None:
    result = measured({**REVIEW, **changes}, k)
    assert (result.score, result.reason) == (score, reason)
    assert result.metadata["rank"] == {**REVIEW, **changes}["rank"]


def test_judge_that_cannot_tell_leaves_the_score_undecided() -> None:
    assert measured({**REVIEW, "context": "Cannot tell"}).status == "undecided"


def test_empty_retrieval_scores_0_without_a_judge_call() -> None:
    result = measured(REVIEW, passages=[])
    assert (result.score, result.usage.calls) == (0, 0)


def test_case_without_output_is_reviewed_for_its_passages_alone() -> None:
    judge = ScriptedJudge().respond(ReviewCase, REVIEW)
    ContextSufficiency().measure(TestCase(input="Entry?", retrieval_context=PASSAGES), judge)
    assert "No actual output is given" in judge.prompts[0]
    assert "actual_output:" not in judge.prompts[0]


def test_cutoff_may_stand_behind_an_at_sign() -> None:
    assert parse("context_sufficiency@2") == ContextSufficiency(k=2)
    assert ContextSufficiency(k=2).title == "ContextSufficiency@2"
    with pytest.raises(BadOption, match="k=0"):
        ContextSufficiency(k=0)
