from tests.metrics.words import decisions

from ragstone import TestCase
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ContextualPrecision, ContextUtilization
from ragstone.prompts import JudgeUsefulness

CASE = TestCase(input="q", actual_output="the answer", retrieval_context=["a", "b"])


def test_actual_output_replaces_expected_output() -> None:
    judge = ScriptedJudge().respond(JudgeUsefulness, decisions("no", "yes"))
    result = ContextUtilization().measure(CASE, judge)
    assert result.score == 0.5
    assert "the answer" in judge.prompts[0]
    assert "actual output" in ContextUtilization().score([]).reason


def test_contextual_precision_takes_reference_option() -> None:
    assert ContextualPrecision(reference="actual_output").fields_needed == (
        "input",
        "actual_output",
        "retrieval_context",
    )
    assert repr(ContextUtilization()) == "context_utilization"
