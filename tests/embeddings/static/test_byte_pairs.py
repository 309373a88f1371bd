from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.testing.for_each import for_each
from tokenizers import Tokenizer

from ragstone.embeddings.static.byte_pairs import BytePairs
from ragstone.embeddings.static.table import load_static
from training import static_table

PIECES = load_static().pieces
NOT_TEXT = ("<s>", "</s>", "<unk>")
"""What the reference takes for signs of its own, also in the middle of a text; here they are text."""


@cache
def reference() -> Tokenizer:
    """Return the tokenizer that the vocabulary was made for."""
    tokenizer = Tokenizer.from_file(str(static_table.source() / static_table._TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def test_adjacent_pieces_with_the_lowest_id_are_merged_first() -> None:
    pieces = BytePairs(["<0x62>", "\u2581", "a", "c", "ac", "ca", "aca", "\u2581a"])
    assert pieces.ids("a") == [7]
    assert pieces.ids("aca") == [1, 6]
    assert pieces.ids("ab") == [7, 0]


def test_empty_text_has_no_pieces() -> None:
    assert PIECES.ids("") == []


@for_each(
    "text",
    [
        "The cat sleeps.",
        "astrophysicists'  naïve   café",
        "東京 🎉 Straße\nline\ttab",
        "3,800.50 % of $12",
        " leading and trailing ",
        "don\u2019t \u00ad soft",
    ],
)
def test_texts_are_cut_as_the_reference_cuts_them(text: str) -> None:
    assert PIECES.ids(text) == reference().encode(text, add_special_tokens=False).ids


@settings(max_examples=200)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30).filter(lambda text: "<" not in text))
def test_any_text_is_cut_as_the_reference_cuts_it(text: str) -> None:
    assert PIECES.ids(text) == reference().encode(text, add_special_tokens=False).ids


@for_each("text", NOT_TEXT)
def test_special_tokens_in_a_text_are_split_as_text(text: str) -> None:
    assert len(PIECES.ids(text)) > 1


def test_very_long_word_is_tokenized() -> None:
    assert len(PIECES.ids("x" * 200_000)) > 10_000
