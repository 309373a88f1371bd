from typing import Any

import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase, evaluate
from ragstone.errors import MissingField, NotApplicable
from ragstone.judges import ScriptedJudge
from ragstone.metrics import AnswerAcceptance, ContextSufficiency
from ragstone.prompts import ReviewCase

PASSAGES = ["Open Tuesday to Sunday, 9 am to 6 pm.", "Adults pay 5 euros."]
ACCEPTED: dict[str, Any] = {
    "unanswered": [],
    "faults": [],
    "deciding": [1, 2],
    "answer": "acceptable",
    "context": "sufficient",
    "rank": 1,
}
UNTIL_EIGHT = {"quote": "until 8 pm", "kind": "wrong_number", "passage": 1, "reason": "It closes at 6 pm."}
REFUSED = {**ACCEPTED, "faults": [UNTIL_EIGHT], "unanswered": ["the entry"], "answer": "not_acceptable"}


def case(**fields: Any) -> TestCase:
    given = {
        "input": "Are you open on Sunday, and what is the entry?",
        "actual_output": "Yes, until 8 pm.",
        "retrieval_context": PASSAGES,
    }
    return TestCase(**{**given, **fields})


def measured(said: Any, **fields: Any) -> Any:
    return AnswerAcceptance().measure(case(**fields), ScriptedJudge().respond(ReviewCase, said))


def test_accepted_answer_passes() -> None:
    result = measured(ACCEPTED)
    assert (result.score, result.status) == (1, "passed")
    assert result.metadata["faults"] == []
    assert result.usage.calls == 1


def test_fault_is_quoted_with_its_place_kind_and_reason() -> None:
    result = measured(REFUSED)
    assert (result.score, result.status) == (0, "missed")
    assert result.metadata["faults"] == [{**UNTIL_EIGHT, "span": (5, 15)}]
    assert result.metadata["unanswered"] == ["the entry"]
    assert result.reason == (
        "The answer is not acceptable. “until 8 pm”: wrong number (It closes at 6 pm). Not answered: the entry."
    )


def test_span_is_in_the_output_as_it_was_written() -> None:
    output = "<think>Until 8 pm? Say so.</think>\nYes, **until**\n8 pm [1]."
    [fault] = measured(REFUSED, actual_output=output).metadata["faults"]
    start, end = fault["span"]
    assert output[start:end] == "until**\n8 pm"
    assert output.index("8 pm [1]") == end - 4


def test_judge_that_cannot_tell_leaves_the_score_undecided() -> None:
    result = measured({**ACCEPTED, "answer": "cannot_tell"})
    assert (result.score, result.low, result.high, result.status) == (None, 0, 1, "undecided")


def test_foreign_quote_is_asked_for_once_more_and_then_kept_without_a_span() -> None:
    foreign = {**REFUSED, "faults": [{**UNTIL_EIGHT, "quote": "open on Mars"}]}
    judge = ScriptedJudge().respond(ReviewCase, [foreign, foreign])
    result = AnswerAcceptance().measure(case(), judge)
    assert "Fault 1: the quote is not in the actual output" in judge.prompts[1]
    assert result.metadata["faults"][0]["span"] is None
    assert (result.score, result.usage.calls) == (0, 2)


@for_each(
    "contradictory", [{**ACCEPTED, "unanswered": ["the entry"]}, {**ACCEPTED, "answer": "not_acceptable"}]
)
def test_decision_against_its_own_findings_is_asked_for_once_more(contradictory: Any) -> None:
    result = measured([contradictory, REFUSED])
    assert (result.score, result.usage.calls) == (0, 2)


@for_each("label, kind", [("Wrong number.", "wrong_number"), ("contradiction", "other"), ("STALE", "stale")])
def test_kind_is_read_leniently_and_an_unknown_one_is_other(label: str, kind: str) -> None:
    result = measured({**REFUSED, "faults": [{**UNTIL_EIGHT, "kind": label}]})
    assert result.metadata["faults"][0]["kind"] == kind


@for_each("output", ["", " \n", "<think>Hm. I do not know</think>"])
def test_empty_output_is_not_acceptable_without_a_judge_call(output: str) -> None:
    judge = ScriptedJudge()
    result = AnswerAcceptance().measure(case(actual_output=output), judge)
    assert (result.score, result.reason) == (0, "The output is empty.")
    assert not judge.prompts


def test_missing_output_is_a_missing_field() -> None:
    with pytest.raises(MissingField, match="actual_output"):
        AnswerAcceptance().measure(case(actual_output=None), ScriptedJudge())


def test_case_with_neither_passages_nor_reference_is_not_applicable() -> None:
    with pytest.raises(NotApplicable, match="expected_output"):
        AnswerAcceptance().measure(case(retrieval_context=None), ScriptedJudge())


def test_case_without_passages_is_judged_by_its_expected_output() -> None:
    judge = ScriptedJudge().respond(ReviewCase, {**ACCEPTED, "deciding": [], "rank": None})
    result = AnswerAcceptance().measure(case(retrieval_context=None, expected_output="Until 8."), judge)
    assert result.score == 1
    assert "The passages are not given" in judge.prompts[0]
    assert "passages:" not in judge.prompts[0]


def test_nothing_retrieved_is_shown_as_no_passage() -> None:
    judge = ScriptedJudge().respond(ReviewCase, {**ACCEPTED, "deciding": [], "rank": None})
    AnswerAcceptance().measure(case(retrieval_context=[]), judge)
    assert judge.prompts[0].startswith("passages:\n(none)")


def test_passage_that_does_not_exist_is_asked_again() -> None:
    result = measured([{**ACCEPTED, "rank": 3}, ACCEPTED])
    assert (result.score, result.usage.calls) == (1, 2)


@for_each("output", ["Yes, until 8 pm.", "<think>Hm.</think>Yes, until 8 pm."])
def test_acceptance_and_sufficiency_share_one_call(output: str) -> None:
    judge = ScriptedJudge().respond(ReviewCase, REFUSED)
    metrics = [AnswerAcceptance(), ContextSufficiency(), ContextSufficiency(k=1)]
    report = evaluate([case(actual_output=output)], metrics, judge=judge)
    assert [result.score for result in report.results[0]] == [0, 1, 1]
    assert len(judge.prompts) == 1


def test_several_accepted_outputs_are_shown_as_right() -> None:
    judge = ScriptedJudge().respond(ReviewCase, ACCEPTED)
    expected = {"expected_output": "Until 6.", "metadata": {"expected_outputs": ["6 pm.", "18:00"]}}
    AnswerAcceptance().measure(case(**expected), judge)
    assert "expected_output:\n1| Until 6.\n2| 6 pm.\n3| 18:00" in judge.prompts[0]
    assert "Each of the expected outputs is right" in judge.prompts[0]
