import pytest

from ragstone import TestCase
from ragstone.errors import CannotJudge, UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.metrics import AnsweredParts
from ragstone.prompts import JudgeParts

CASE = TestCase(
    input="When was it built, who built it and what did it cost?", actual_output="Eiffel built it in 1889."
)


def parts(*words: str) -> dict:
    return {
        "verdicts": [
            {"part": f"part {number}", "reason": None, "verdict": word}
            for number, word in enumerate(words, 1)
        ]
    }


def test_two_of_three_parts_answered_is_two_thirds() -> None:
    judge = ScriptedJudge().respond(JudgeParts, parts("answered", "answered", "unanswered"))
    result = AnsweredParts().measure(CASE, judge)
    assert result.score == pytest.approx(2 / 3)
    assert result.usage.calls == 1
    assert result.metadata["parts"] == ["part 1", "part 2", "part 3"]
    assert "part 3" in (result.reason or "")


def test_a_question_has_at_least_one_part() -> None:
    with pytest.raises(UnreadableAnswer, match="There is no part"):
        AnsweredParts().measure(CASE, ScriptedJudge().respond(JudgeParts, parts()))


def test_the_embedded_judge_refuses_and_names_what_to_use() -> None:
    with pytest.raises(CannotJudge, match="needs a language model"):
        AnsweredParts().measure(CASE, "local")
