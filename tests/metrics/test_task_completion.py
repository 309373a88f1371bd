import pytest

from ragstone import TestCase, ToolCall
from ragstone.errors import UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.metrics import TaskCompletion
from ragstone.prompts import RateCompletion

CASE = TestCase(
    input="Book a table", actual_output="Done.", tools_called=[ToolCall(name="book", output="full")]
)


def rated(score: int) -> ScriptedJudge:
    answer = {"task": "book", "outcome": "nothing booked", "reason": "The call failed.", "score": score}
    return ScriptedJudge(attempts=1).respond(RateCompletion, answer)


def test_a_rating_over_ten_with_task_and_outcome() -> None:
    judge = rated(3)
    result = TaskCompletion(task="Book for two").measure(CASE, judge)
    assert result.score == pytest.approx(0.3)
    assert result.metadata["outcome"] == "nothing booked"
    assert "| Book for two" in judge.prompts[0]
    assert '"output": "full"' in judge.prompts[0]


def test_off_the_scale_fails() -> None:
    with pytest.raises(UnreadableAnswer):
        TaskCompletion().measure(CASE, rated(11))
