from typing import Any

from tests.testing.for_each import for_each

from ragstone.case import TestCase, ToolCall
from ragstone.datasets import BadRow, load_dataset, read_dataset


def only(**row: Any) -> TestCase:
    (case,) = load_dataset([row])
    return case


def problem(**row: Any) -> str:
    (bad,) = read_dataset([row])
    assert isinstance(bad, BadRow)
    return bad.problem


@for_each("name", ["text", "page_content", "content"])
def test_passage_mappings_keep_other_values_in_metadata(name: str) -> None:
    case = only(input="q", contexts=[{name: "p", "score": 0.5}, "plain"])
    assert case.retrieval_context == ("p", "plain")
    assert case.metadata == {"retrieval_context_details": [{"score": 0.5}, {}]}


def test_one_text_as_context_is_one_passage() -> None:
    assert only(question="q", context="p").context == ("p",)


def test_retrieval_context_as_one_text_is_reported() -> None:
    assert "retrieval_context: a list of texts is expected, not a single text" in problem(
        input="q", contexts="a b"
    )


def test_context_list_written_as_text_is_parsed() -> None:
    assert only(input="q", contexts="['a' 'b']").retrieval_context == ("a", "b")


def test_reference_and_retrieved_contexts_fill_separate_fields() -> None:
    case = only(user_input="q", retrieved_contexts=["r"], reference_contexts=["t"])
    assert (case.retrieval_context, case.context) == (("r",), ("t",))


def test_unknown_columns_go_to_metadata_without_overriding_its_keys() -> None:
    case = only(input="q", metadata={"source": "own"}, source="column", faithfulness=0.5, nothing=None)
    assert case.metadata == {"source": "own", "faithfulness": 0.5}


def test_metadata_as_text() -> None:
    assert only(input="q", metadata='{"a": 1}').metadata == {"a": 1}
    assert only(input="q", metadata="free text").metadata == {"metadata": "free text"}
    assert "metadata" in problem(input="q", metadata=5)


def test_identifiers_and_tags() -> None:
    case = only(input="q", id=7, name=8, tags="x")
    assert (case.id, case.name, case.tags) == ("7", "8", ("x",))
    assert only(input="q", id=7.0).id == "7"
    assert only(input="q", tags='["a", "b"]').tags == ("a", "b")


def test_tool_calls_of_several_tools() -> None:
    case = only(
        input="q",
        tools_called=[
            {"name": "search", "args": {"k": 1}},
            {"function": {"name": "sum", "arguments": '{"a": 2}'}},
            "x",
        ],
        expectedTools=[{"name": "search", "inputParameters": {"k": 1}}],
    )
    search = ToolCall(name="search", input_parameters={"k": 1})
    assert case.tools_called == (search, ToolCall(name="sum", input_parameters={"a": 2}), ToolCall(name="x"))
    assert case.expected_tools == (search,)
    assert "tools_called.0.name: Field required" in problem(input="q", tools_called=[{"output": 1}])


def test_single_user_message_becomes_the_input() -> None:
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}]
    case = only(input=messages, ideal="e")
    assert (case.input, case.expected_output) == ("q", "e")
    assert case.metadata == {"messages": messages}


def test_a_conversation_with_two_questions_is_reported() -> None:
    messages = [{"role": "user", "content": "q"}, {"type": "human", "content": "r"}]
    assert "input: a list of 2 messages, 2 of them from a user" in problem(user_input=messages)


def test_wrong_types_name_the_field_and_the_value() -> None:
    assert problem(input="q", answer=42) == "actual_output: Input should be a valid string (got 42)."
    assert "retrieval_context.1: Input should be a valid string (got None)" in problem(
        input="q", contexts=["a", None]
    )
