"""Recorded answers of GPT-4 and GPT-3.5 (SummEval), each read by the parser to the score that was recorded.

The recorded answers are prose, asked for in other words than ours. Each stands here as the reason of an answer in our
schema, as a model writes it: bare, in a code fence, and behind a draft with another score.
"""

import json
from typing import Any

import pytest

from benchmarks.replays import recorded
from ragstone.prompts import RateAccuracy
from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.parse import parse_answer

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not recorded.DATA.is_dir(), reason=f"the labelled data is not at {recorded.DATA}"),
]

ANSWERS = 28_800


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    return recorded.read("judge_summeval_gpt")


def written(row: dict[str, Any]) -> str:
    return json.dumps({"reason": row["response"], "score": int(row["score"])}, ensure_ascii=False)


def bare(row: dict[str, Any]) -> str:
    return written(row)


def fenced(row: dict[str, Any]) -> str:
    return f"```json\n{written(row)}\n```"


def behind_a_draft(row: dict[str, Any]) -> str:
    draft = json.dumps({"reason": "At first sight.", "score": 6 - int(row["score"])})
    return f"{row['response']}\n{draft}\nOn reflection:\n{written(row)}"


@pytest.mark.parametrize("dress", [bare, fenced, behind_a_draft])
def test_each_answer_is_read_to_the_score_that_was_recorded(
    dress: Any, answers: list[dict[str, Any]]
) -> None:
    scored = [row for row in answers if row.get("score") is not None and float(row["score"]).is_integer()]
    assert len(answers) == ANSWERS
    assert len(scored) == ANSWERS - 282  # 281 have halves, which our scales do not, and one has no score
    read = [parse_answer(dress(row), Rating) for row in scored]
    assert [rating.score for rating in read] == [row["score"] for row in scored]
    assert [rating.reason for rating in read] == [row["response"] for row in scored]


def test_prose_without_an_answer_in_it_is_refused_not_guessed(answers: list[dict[str, Any]]) -> None:
    prompt = RateAccuracy(input="q", actual_output="a", expected_output="e")
    for row in answers[:: ANSWERS // 600]:
        with pytest.raises(ValueError, match=r"JSON|object|score"):
            prompt.parse(row["response"])
