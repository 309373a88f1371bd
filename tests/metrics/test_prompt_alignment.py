import pytest
from tests.metrics.words import decisions
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.metrics import PromptAlignment
from ragstone.prompts import JudgeInstructions

CASE = TestCase(input="q", actual_output="BONJOUR")
METRIC = PromptAlignment(instructions=["Answer in French.", "Answer in capitals.", "Be brief."])


def test_the_share_of_instructions_followed() -> None:
    judge = ScriptedJudge().respond(JudgeInstructions, decisions("yes", "no", "yes"))
    result = METRIC.measure(CASE, judge)
    assert result.score == pytest.approx(2 / 3)
    assert "Answer in capitals." in result.reason
    assert result.usage.calls == 1


def test_missing_instruction_verdicts_are_unreadable() -> None:
    judge = ScriptedJudge().respond(JudgeInstructions, decisions("yes"))
    with pytest.raises(UnreadableAnswer, match="missing: 2, 3"):
        METRIC.measure(CASE, judge)


@for_each("instructions", [[], "Answer in French.", ["", " "]])
def test_instructions_must_be_a_nonempty_list(instructions: object) -> None:
    """A peer scores an empty list 1."""
    with pytest.raises(BadOption):
        PromptAlignment(instructions=instructions)  # type: ignore[arg-type]
