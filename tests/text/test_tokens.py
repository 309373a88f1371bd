from hypothesis import given, settings
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone.text.tokens import is_latin, repair_encoding, tokens


@settings(deadline=None)
@given(st.text(max_size=300))
def test_tokens_index_into_the_text(text: str) -> None:
    for token in (token for row in tokens(text) for token in row):
        assert text[token.start : token.end] == token.word


def test_number_tokens_have_a_normalised_stem() -> None:
    [row] = tokens("3.8 million, 3,800,000 and 3, 800, 000 or twelve and the 12th")
    numbers = [token.stem for token in row if token.is_number]
    assert numbers == ["#3800000", "#3800000", "#3800000", "#12", "#12"]


def test_an_opening_capital_is_marked() -> None:
    [row] = tokens("Paris is large.")
    assert row[0].is_capitalised
    assert row[0].starts_sentence


@for_each(
    "text, expected",
    [("Straße und Élan", True), ("埃菲尔铁塔", False), ("Москва", False), ("42", True), ("", True)],
)
def test_only_latin_letters_are_read(text: str, expected: bool) -> None:  # noqa: FBT001
    assert is_latin(text) is expected


@for_each(
    "text, expected",
    [
        ("D\u00c3\u00a1in", "Dáin"),
        ("2.45\u00c2\u00a0billion", "2.45\u00a0billion"),
        ("30\u00e2\u20ac\u201c31 October", "30\u201331 October"),
        ("Dáin of São Paulo, 10 £", "Dáin of São Paulo, 10 £"),
        ("\u00c3\u00a1 beside 这", "\u00c3\u00a1 beside 这"),
        ("", ""),
    ],
)
def test_letters_that_were_read_in_the_wrong_encoding_are_put_right(text: str, expected: str) -> None:
    assert repair_encoding(text) == expected
