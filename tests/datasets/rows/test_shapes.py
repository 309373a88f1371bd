from typing import Any

import pytest

from ragstone.case import TestCase
from ragstone.datasets import load_dataset
from ragstone.datasets.rows.shapes import columns


def only(row: dict[str, Any]) -> TestCase:
    (case,) = load_dataset([row])
    return case


LANGSMITH = {
    "inputs": {"question": "q", "user": 3},
    "outputs": {"answer": "a", "documents": [{"page_content": "p", "metadata": {"source": "s"}}]},
    "reference_outputs": {"answer": "e"},
    "run_id": "r",
}


@pytest.mark.parametrize("dotted", [False, True])
def test_langsmith_rows_nested_or_as_columns(dotted: bool) -> None:  # noqa: FBT001  (parametrised)
    row: dict[str, Any] = LANGSMITH
    if dotted:
        groups = {key: value for key, value in row.items() if isinstance(value, dict)}
        row = {f"{group}.{key}": value for group, values in groups.items() for key, value in values.items()}
        row["run_id"] = "r"
    case = only(row)
    assert (case.input, case.actual_output, case.expected_output) == ("q", "a", "e")
    assert case.retrieval_context == ("p",)
    assert case.metadata == {
        "run_id": "r",
        "input.user": 3,
        "retrieval_context_details": [{"metadata": {"source": "s"}}],
    }


def test_only_text_in_a_langsmith_group_is_its_value() -> None:
    case = only({"inputs": {"topic": "q"}, "outputs": {"generation": "a", "tokens": 7}})
    assert (case.input, case.actual_output) == ("q", "a")
    assert case.metadata == {"actual_output.tokens": 7}


def test_langsmith_groups_given_as_plain_texts() -> None:
    case = only({"inputs": "q", "outputs": "a", "reference_outputs": "e"})
    assert (case.input, case.actual_output, case.expected_output) == ("q", "a", "e")
    assert case.metadata == {}


def test_answer_pair_row_becomes_two_cases() -> None:
    row = {
        "id": "p-1",
        "task": "quality",
        "question": "q",
        "reference": "e",
        "text": "first",
        "text2": "second",
        "system": "A",
        "system2": "B",
        "label": 1.0,
    }
    first, second = load_dataset([row])
    assert [case.id for case in (first, second)] == ["p-1-text", "p-1-text2"]
    assert [case.actual_output for case in (first, second)] == ["first", "second"]
    assert {case.input for case in (first, second)} == {"q"}
    assert {case.expected_output for case in (first, second)} == {"e"}
    shared = {"task": "quality", "label": 1.0, "pair": "p-1"}
    assert first.metadata == {**shared, "side": "text", "system": "A"}
    assert second.metadata == {**shared, "side": "text2", "system": "B"}


def test_support_claim_without_question_has_empty_input() -> None:
    case = only({"task": "support", "context": "the evidence", "text": "the claim", "label": 0})
    assert case.input == ""
    assert case.missing(("input",)) == ("input",)
    assert (case.actual_output, case.context) == ("the claim", ("the evidence",))


def test_text_of_an_unknown_task_goes_to_metadata() -> None:
    case = only({"task": "homework", "input": "q", "text": "t"})
    assert case.actual_output is None
    assert case.metadata == {"task": "homework", "text": "t"}


def test_first_of_several_references_is_the_expected_output() -> None:
    case = only({"question": "q", "ground_truths": ["one", "two"]})
    assert case.expected_output == "one"
    assert case.metadata == {"expected_outputs": ["one", "two"]}


def test_columns_of_equal_length_are_rows() -> None:
    rows = columns({"question": ["a", "b"], "contexts": [["x"], ["y"]]})
    assert rows is not None
    assert list(rows) == [{"question": "a", "contexts": ["x"]}, {"question": "b", "contexts": ["y"]}]


@pytest.mark.parametrize(
    "row",
    [
        {"question": "a", "contexts": ["x"]},
        {"question": ["a"], "contexts": ["x", "y"]},
        {"contexts": ["x", "y"], "tags": ["a", "b"]},
        {"user_input": [{"role": "user", "content": "q"}], "contexts": ["x"]},
        {},
    ],
)
def test_columns_returns_none_for_a_single_row(row: dict[str, Any]) -> None:
    assert columns(row) is None
