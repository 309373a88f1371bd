from tests.testing.for_each import for_each

from ragstone.case import TestCase
from ragstone.datasets.rows.field_names import ALIASES, KNOWN, count_known_columns, normalize_name, rename


def test_aliases_cover_test_case_fields_and_start_with_field_name() -> None:
    assert set(ALIASES) == set(TestCase.model_fields)
    assert all(names[0] == field for field, names in ALIASES.items())


def test_no_name_stands_for_two_fields() -> None:
    assert len(KNOWN) == sum(len(names) for names in ALIASES.values())


@for_each("field, name", [(field, name) for field, names in ALIASES.items() for name in names])
def test_each_name_is_read_as_its_field(field: str, name: str) -> None:
    assert rename({name: "x", "other": 1}) == ({field: "x"}, {"other": 1})


@for_each("name", ["user_input", "User Input", "userInput", "user-input", " USER_INPUT "])
def test_case_blanks_and_hyphens_do_not_matter(name: str) -> None:
    assert normalize_name(name) == "user_input"


def test_the_fields_own_name_wins_and_the_other_column_is_kept() -> None:
    assert rename({"question": "a", "input": "b", "query": "c"}) == (
        {"input": "b"},
        {"question": "a", "query": "c"},
    )


@for_each("empty", [None, "", " ", []])
def test_an_empty_value_never_displaces_a_full_one(empty: object) -> None:
    assert rename({"expected_output": empty, "reference": "r"}) == ({"expected_output": "r"}, {})


def test_an_empty_list_is_kept_where_it_is_a_finding() -> None:
    assert rename({"contexts": [], "tags": []}) == ({"retrieval_context": []}, {})
    assert rename({"contexts": [], "retrieved_contexts": ["a"]})[0] == {"retrieval_context": ["a"]}


def test_count_known_columns() -> None:
    assert count_known_columns(["Question", "inputs.question", "foo", ""]) == 2
