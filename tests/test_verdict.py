import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.verdict import Verdict, parse_verdict
from tests.testing.for_each import for_each


@for_each(
    "text, word",
    [
        ("yes", "yes"),
        (" Yes. ", "yes"),
        ("YES, because the passage says so", "yes"),
        ("**no**", "no"),
        ("No: it says 3", "no"),
        ("no - it differs", "no"),
        ("idk", "idk"),
        ("borderline", "idk"),
        ('"yes"', "yes"),
        (True, "yes"),
        (False, "no"),
    ],
)
def test_parse_verdict_accepts_variants_of_words(text: object, word: str) -> None:
    assert parse_verdict(text) == word


@for_each("text", ["", "maybe", "yesterday", "nothing", "not sure", "true", None, 1, ["yes"], "y"])
def test_parse_verdict_rejects_other_values(text: object) -> None:
    with pytest.raises(ValueError, match="no verdict"):
        parse_verdict(text)


@given(st.text())
def test_parse_verdict_needs_the_word_at_the_start(text: str) -> None:
    try:
        word = parse_verdict(text)
    except ValueError:
        return
    assert text.lower().lstrip(" \t\r\n\"'`*_.,;:!?()[]{}").startswith((word, "borderline"))


def test_as_dict_has_the_documented_keys() -> None:
    assert Verdict("s", "yes").as_dict() == {
        "statement": "s",
        "verdict": "yes",
        "reason": None,
        "passage": None,
        "span": None,
        "probability": None,
    }
