"""A scripted user: what the application is asked in each turn, and what is kept of its replies."""

from collections.abc import Sequence
from typing import Any

import anyio
import pytest

from ragstone import TestCase, evaluate
from ragstone.applications import Application
from ragstone.errors import BadOption

SCRIPT = {
    "turns": [
        {"role": "user", "content": "When was the bridge opened?", "expected_output": "In 1902."},
        {"role": "assistant", "content": "An old reply.", "relevant_ids": ["d1"]},
        {"role": "user", "content": "How long is it?"},
    ]
}


def bridge(question: str, turns: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """An application that knows from the conversation what "it" is."""
    assert turns[-1] == {"role": "user", "content": question}
    if "fail" in question:
        raise LookupError("no index")
    long = "long" in question and any("bridge" in turn["content"] for turn in turns)
    text = "It is 210 metres long." if long else "It was opened in 1902."
    return {"answer": text, "contexts": [{"id": "d1", "text": text}], "usage": {"input": 9}, "cost": 0.25}


def asked(application: Any, case: object) -> TestCase:
    return anyio.run(Application(application).ask, TestCase.model_validate(case))


def test_replies_are_those_of_the_application_with_passages_and_costs_of_each_turn() -> None:
    found = asked(bridge, SCRIPT)
    assert [turn.content for turn in found.turns or ()] == [
        "When was the bridge opened?",
        "It was opened in 1902.",
        "How long is it?",
        "It is 210 metres long.",
    ]
    first, last = list(found.turns or ())[1::2]
    assert (first.retrieved_ids, last.retrieval_context) == (("d1",), ("It is 210 metres long.",))
    assert first.relevant_ids == {"d1": 1}
    assert first.metadata["latency_ms"] + last.metadata["latency_ms"] == pytest.approx(
        found.metadata["latency_ms"]
    )
    assert (found.metadata["tokens"], found.metadata["cost"]) == ({"input": 18}, 0.5)
    assert found.actual_output is None
    question_is_last = asked(bridge, {**SCRIPT, "input": "How long is it?"})
    assert question_is_last.actual_output == "It is 210 metres long."


def test_turn_that_fails_ends_the_conversation_which_is_not_measured() -> None:
    rows = [SCRIPT, {"turns": [SCRIPT["turns"][0], {"role": "user", "content": "fail"}, SCRIPT["turns"][2]]}]
    report = evaluate(rows, ["contextual_recall(per_turn=True)", "errors(per_turn=True)"], app=bridge)
    good, failed = report.results
    assert (good[0].status, good[1].score) == ("passed", 0)
    assert (failed[0].status, failed[0].error) == (
        "not_measured",
        "ApplicationError: turn 4: LookupError: no index",
    )
    assert "turn 4 is the first that misses: The application failed: LookupError" in str(failed[1].reason)
    assert [turn.content for turn in report.cases[1].turns or ()][-2:] == ["fail", ""]


def test_function_without_turns_is_refused_before_a_conversation() -> None:
    def alone(question: str) -> str:
        return question

    with pytest.raises(
        BadOption, match=r"is a conversation of 2 questions: write def answer\(question, turns\)"
    ):
        asked(alone, SCRIPT)
    assert asked(alone, {"turns": SCRIPT["turns"][:1]}).actual_output == "When was the bridge opened?"
