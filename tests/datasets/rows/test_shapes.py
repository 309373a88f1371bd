import json
from pathlib import Path
from typing import Any

from tests.testing.for_each import for_each

from ragstone.case import TestCase
from ragstone.datasets import load_dataset, read_dataset
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


@for_each("dotted", [False, True])
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


@for_each(
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


@for_each("names", [("input", "output", "expected"), ("input", "output", "expectedOutput")])
def test_objects_as_input_and_output_are_unpacked(names: tuple[str, str, str]) -> None:
    question, answer, expected = names
    case = only({question: {"question": "q", "user": 3}, answer: {"answer": "a"}, expected: {"answer": "e"}})
    assert (case.input, case.actual_output, case.expected_output) == ("q", "a", "e")
    assert case.metadata == {"input.user": 3}


def test_objects_in_the_cells_of_a_table_are_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text('input,output\n"{""question"": ""q""}","{""answer"": ""a""}"\nWhy?,"{""answer"": 1}"\n')
    first, second = load_dataset(path)
    assert (first.input, first.actual_output) == ("q", "a")
    assert (second.input, second.actual_output) == ("Why?", '{"answer": 1}')


def test_output_without_a_text_is_json() -> None:
    assert only({"input": {"question": "q"}, "output": {"n": [1]}}).actual_output == '{"n": [1]}'


def test_object_without_a_question_is_reported_with_its_names() -> None:
    (bad,) = read_dataset([{"input": {"a": {}, "b": 2}, "output": "x"}])
    assert "the row has 'output', 'input.a', 'input.b'" in str(bad)


USER, ASSISTANT = {"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}


@for_each(
    "row",
    [
        {"messages": [{"role": "system", "content": "s"}, USER, ASSISTANT]},
        {"input": {"messages": [USER]}, "output": {"messages": [ASSISTANT]}},
        {"user_input": [{"type": "human", "content": "q"}, {"type": "ai", "content": "a"}]},
    ],
)
def test_chat_messages_are_question_and_answer(row: dict[str, Any]) -> None:
    case = only(row)
    assert (case.input, case.actual_output, case.turns) == ("q", "a", None)


@for_each("name", ["messages", "user_input"])
def test_conversation_becomes_turns(name: str) -> None:
    call = {"id": "1", "function": {"name": "book", "arguments": '{"seats": 2}'}}
    messages = [
        USER,
        ASSISTANT,
        {"role": "user", "content": "At seven."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": "done", "tool_call_id": "1"},
        {"role": "assistant", "content": "Booked."},
    ]
    case = only({name: messages, "reference": "Booked."})
    assert (case.input, case.actual_output, case.expected_output) == ("At seven.", "Booked.", "Booked.")
    assert [str(turn) for turn in case.turns or ()] == [
        "user: q",
        "assistant: a",
        "user: At seven.",
        "assistant: Booked.",
    ]
    assert [(call.name, call.input_parameters, call.output) for call in case.tools_called or ()] == [
        ("book", {"seats": 2}, "done")
    ]


def test_answer_beside_a_conversation_is_its_last_turn() -> None:
    case = only({"user_input": [USER, ASSISTANT, {"role": "user", "content": "And?"}], "response": "So."})
    assert (case.input, case.actual_output) == ("And?", "So.")
    assert [turn.role for turn in case.turns or ()] == ["user", "assistant", "user", "assistant"]


def test_turns_of_other_tools_are_read() -> None:
    turns = [
        {"role": "human", "content": "q", "user_id": 7},
        {"type": "ai", "content": "a", "tools_called": None},
    ]
    assert [turn.role for turn in only({"scenario": "s", "turns": turns}).turns or ()] == [
        "user",
        "assistant",
    ]


def test_json_lines_that_deepeval_saved_are_read(tmp_path: Path) -> None:
    path = tmp_path / "goldens.jsonl"
    row = {"input": "q", "retrieval_context": "a|b", "context": "c", "custom_column_key_values": None}
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "retrieval_context": ["a|b"]}) + "\n")
    first, second = load_dataset(path)
    assert (first.retrieval_context, first.context, second.retrieval_context) == (
        ("a", "b"),
        ("c",),
        ("a|b",),
    )


def test_columns_by_index_as_pandas_writes_them() -> None:
    rows = columns({"question": {"0": "q", "1": "r"}, "answer": {"0": "a", "1": None}})
    assert list(rows or ()) == [{"question": "q", "answer": "a"}, {"question": "r", "answer": None}]
