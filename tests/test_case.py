import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from ragstone import TestCase, ToolCall
from ragstone.errors import BadDataset
from tests.testing.for_each import for_each

EMPTY = ("retrieval_context", "retrieved_ids", "relevant_ids", "tools_called", "expected_tools")
"""Fields in which an empty list is a finding."""


def test_is_frozen_and_hashable() -> None:
    case = TestCase(input="q", retrieval_context=["a"], metadata={"k": [1]})
    with pytest.raises(ValidationError):
        case.input = "other"  # type: ignore[misc]
    assert len({case, TestCase(input="q", retrieval_context=["a"], metadata={"k": [1]})}) == 1


def test_id_is_a_hash_of_the_content_unless_given() -> None:
    assert TestCase(input="q").id == TestCase(input="q").id
    assert TestCase(input="q").id != TestCase(input="Q").id
    assert TestCase(input="q", id="mine").id == "mine"


@given(st.text(), st.lists(st.text()), st.dictionaries(st.text(), st.text()))
def test_id_of_any_text_survives_json(text: str, passages: list[str], metadata: dict[str, str]) -> None:
    case = TestCase(input=text, retrieval_context=passages, metadata=metadata)
    assert TestCase.model_validate_json(case.model_dump_json()).id == case.id


def test_context_stands_in_for_retrieval_context() -> None:
    case = TestCase(input="q", context=["c"])
    assert case.passages() == ("c",)
    assert case.passages("context") == ("c",)
    assert TestCase(input="q", context=[], retrieval_context=["r"]).get("context") == ("r",)


@for_each("empty", [[], ["", "  "]])
def test_empty_retrieval_context_is_not_replaced_by_context(empty: list[str]) -> None:
    case = TestCase(input="q", retrieval_context=empty, context=["c"])
    assert case.passages() == ()
    assert case.passages("context") == ("c",)
    assert TestCase(input="q", retrieval_context=empty).passages("context") == ()


def test_blank_texts_are_missing_and_empty_lists_of_what_was_found_are_not() -> None:
    case = TestCase.model_validate(
        {"input": " ", "actual_output": "\n", "context": ["c"], **{field: [] for field in EMPTY}}
    )
    assert case.missing(("input", "actual_output", *EMPTY)) == ("input", "actual_output")
    assert TestCase(input="q").missing(EMPTY) == EMPTY
    assert TestCase(input="q", context=[]).missing(("context",)) == ("context",)
    assert case.id != TestCase(input=" ", actual_output="\n", context=["c"]).id


def test_passages_keep_blank_ones_beside_others() -> None:
    assert TestCase(input="q", retrieval_context=["", "a"]).passages() == ("", "a")


def test_read_names_row_and_fields() -> None:
    with pytest.raises(
        BadDataset, match=r"f\.jsonl:3: .*input.*got 3.*retrieval_context: a list of texts.*\bfoo\b"
    ):
        TestCase.read({"input": 3, "retrieval_context": "x", "foo": 1}, "f.jsonl:3")
    with pytest.raises(BadDataset, match="row 1: input: Field required"):
        TestCase.read({}, "row 1")


def test_read_returns_a_test_case_as_it_is() -> None:
    case = TestCase(input="q")
    assert TestCase.read(case, "row 1") is case


def test_tools_keep_arguments() -> None:
    case = TestCase(input="q", tools_called=[ToolCall(name="search", input_parameters={"q": 1})])
    assert case.tools_called is not None
    assert case.tools_called[0].input_parameters == {"q": 1}


def test_input_defaults_to_the_first_user_turn() -> None:
    turns = [{"role": "assistant", "content": "Hello."}, {"role": "user", "content": "When?"}]
    assert TestCase.model_validate({"turns": turns}).input == "When?"
    assert TestCase.model_validate({"turns": turns, "input": "Why?"}).input == "Why?"
    with pytest.raises(ValidationError, match="input"):
        TestCase.model_validate({"turns": turns[:1]})


def test_ids_become_texts_and_relevant_ids_get_grades() -> None:
    case = TestCase.model_validate({"input": "q", "retrieved_ids": [1, "b"], "relevant_ids": ["b", 7]})
    assert case.retrieved_ids == ("1", "b")
    assert case.relevant_ids == {"b": 1, "7": 1}
    assert TestCase.model_validate({"input": "q", "relevant_ids": {"a": 2}}).relevant_ids == {"a": 2}
    assert TestCase.model_validate({"input": "q", "relevant_ids": []}).get("relevant_ids") == {}


@for_each(
    "name, meant",
    [
        ("question", "input"),
        ("Answer", "actual_output"),
        ("contexts", "retrieval_context"),
        ("actual_ouput", "actual_output"),
    ],
)
def test_unknown_field_suggests_the_test_case_field(name: str, meant: str) -> None:
    with pytest.raises(
        ValidationError, match=f"There is no field of a test case named '{name}'. Did you mean '{meant}'"
    ):
        TestCase.model_validate({"input": "?", name: "x"})
