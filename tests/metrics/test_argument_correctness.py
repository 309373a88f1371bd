from tests.metrics.words import decisions

from ragstone import TestCase, ToolCall
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ArgumentCorrectness
from ragstone.prompts import JudgeArguments


def test_a_verdict_on_each_call() -> None:
    calls = [
        ToolCall(name="add", input_parameters={"a": 1}),
        ToolCall(name="add", input_parameters={"a": "x"}),
    ]
    judge = ScriptedJudge().respond(JudgeArguments, decisions("yes", "no"))
    result = ArgumentCorrectness().measure(TestCase(input="q", tools_called=calls), judge)
    assert (result.score, result.usage.calls) == (0.5, 1)
    assert '1| {"name": "add", "input_parameters": {"a": 1}}' in judge.prompts[0]


def test_no_tool_calls_score_one_without_judge_call() -> None:
    result = ArgumentCorrectness().measure(TestCase(input="q", tools_called=[]), ScriptedJudge())
    assert (result.score, result.usage.calls) == (1.0, 0)
