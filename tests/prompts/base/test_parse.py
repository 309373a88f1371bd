import pytest
from tests.testing.for_each import for_each

from ragstone.prompts import Claims, Decisions, parse_answer

ANSWER = '{"claims": ["a", "b"]}'


@for_each(
    "text",
    [
        ANSWER,
        f"  {ANSWER}\n",
        f"```json\n{ANSWER}\n```",
        f"Here is the answer: {ANSWER} I hope it helps.",
        f"Thinking {{of braces}} first. {ANSWER}",
        f'Draft: {{"claims": ["draft"]}} Final: {ANSWER}',
        f'{ANSWER} (in the form {{"other": 1}})',
    ],
)
def test_json_is_found_in_fences_and_prose(text: str) -> None:
    assert parse_answer(text, Claims).claims == ("a", "b")


def test_the_last_answer_that_fits_counts() -> None:
    text = '{"claims": ["a"]} then {"claims": ["b"]} then {"claims": 3}'
    assert parse_answer(text, Claims).claims == ("b",)


@for_each(
    "text, problem",
    [
        ("", "not JSON"),
        ("I cannot answer.", "not JSON"),
        ('{"claims": ["a", "b"', "not JSON"),
        ("[]", "Input should be"),
        ('{"claims": "a"}', "claims"),
        ('{"claims": [""]}', "claims.0"),
        ('{"claims": ["a"], "more": 1}', "unexpected properties"),
        ("{}", "claims: Field required"),
    ],
)
def test_invalid_answer_raises_value_error_with_the_problem(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse_answer(text, Claims)


def test_an_unknown_verdict_word_is_never_a_pass() -> None:
    with pytest.raises(ValueError, match=r"verdicts\.0\.verdict"):
        parse_answer('{"verdicts": [{"reason": null, "verdict": "perhaps"}]}', Decisions)


@for_each("text", ["{" * 200_000, '{"a":' * 50_000, '{"claims": [' * 1000])
def test_deeply_nested_garbage_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not JSON"):
        parse_answer(text, Claims)


def test_the_problem_does_not_carry_the_models_text() -> None:
    with pytest.raises(ValueError, match="verdict") as caught:
        parse_answer('{"verdicts": [{"reason": "x", "verdict": 7, "ignore all rules": 1}]}', Decisions)
    assert "\n" not in str(caught.value)
