import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.testing.for_each import for_each


def test_all_values_that_fail_are_named() -> None:
    tried: list[int] = []

    @for_each("value", [1, 2, 3, 4])
    def check(value: int) -> None:
        tried.append(value)
        if value == 4:
            pytest.fail("four")
        assert value % 2

    with pytest.raises(ExceptionGroup, match="2 of 4 failed, with value = 2; 4") as error:
        check()
    assert tried == [1, 2, 3, 4]
    assert [str(each).split("\n", maxsplit=1)[0] for each in error.value.exceptions] == [
        "assert (2 % 2)",
        "four",
    ]


@for_each("word, length", [("a", 1), ("bc", 2)])
def test_tuples_are_taken_apart_beside_fixtures(
    word: str, length: int, request: pytest.FixtureRequest
) -> None:
    assert len(word) == length
    assert request.node.name == "test_tuples_are_taken_apart_beside_fixtures"


@for_each("base", [2, 3])
@settings(max_examples=5)
@given(exponent=st.integers(0, 9))
def test_generated_arguments_are_generated_for_each_value(base: int, exponent: int) -> None:
    assert base**exponent % base in (0, 1)


def test_no_value_is_a_mistake() -> None:
    with pytest.raises(AssertionError, match="tried with no value"):
        for_each("value", [])(test_all_values_that_fail_are_named)
