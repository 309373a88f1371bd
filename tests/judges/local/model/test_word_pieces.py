"""Word pieces: the same as those of the tokenizers library, whatever the text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.testing.for_each import for_each
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from ragstone.judges.local.model.encoder import encoder
from ragstone.judges.local.model.word_pieces import UNKNOWN, WordPieces

VOCABULARY = (
    UNKNOWN,
    "un",
    "##affable",
    "##aff",
    "##able",
    "a",
    "##b",
    "ab",
    "é",
    "e",
    ",",
    "中",
    "##1",
    "1",
    "don",
    "'",
    "t",
)


@pytest.fixture(scope="module")
def library() -> Tokenizer:
    """The tokenizer of the library `tokenizers` with the same pieces."""
    made = Tokenizer(WordPiece(dict(encoder().pieces._ids), unk_token=UNKNOWN, max_input_chars_per_word=100))
    made.normalizer = BertNormalizer(lowercase=True)
    made.pre_tokenizer = BertPreTokenizer()
    return made


@for_each(
    "text, pieces",
    [
        ("unaffable", ["un", "##affable"]),
        ("unable", ["un", "##able"]),
        ("Don't", ["don", "'", "t"]),
        ("ab1", ["ab", "##1"]),
        ("É,é", ["e", ",", "e"]),
        ("a中a", ["a", "中", "a"]),
        ("xyz a", [UNKNOWN, "a"]),
        ("a" * 101, [UNKNOWN]),
        ("\x00\ufffd \t\n", []),
        ("", []),
    ],
)
def test_cuts_words_into_the_longest_pieces(text: str, pieces: list[str]) -> None:
    assert [VOCABULARY[number] for number in WordPieces(VOCABULARY).ids(text)] == pieces


# Beyond U+07FC, and of U+061D, the two know different versions of Unicode.
KNOWN = st.characters(max_codepoint=0x7FC, exclude_categories=("Cn", "Co", "Cs"), exclude_characters="\u061d")


@given(text=st.text(KNOWN, max_size=60))
@example(text="ΟΔΟΣ")  # str.lower gives the last sigma another form
def test_any_text_of_assigned_characters_is_cut_as_the_library_cuts_it(library: Tokenizer, text: str) -> None:
    assert encoder().pieces.ids(text) == library.encode(text, add_special_tokens=False).ids


def test_a_paragraph_is_cut_as_the_library_cuts_it(library: Tokenizer) -> None:
    text = "The Straße café's 3,800 m² re-opened on 12/03/2021; naïve co-operation (≈ 40 %) isn't “free”: 東京 Привет"
    assert encoder().pieces.ids(text) == library.encode(text, add_special_tokens=False).ids


def test_piece_number_is_its_vocabulary_index() -> None:
    pieces = WordPieces(VOCABULARY)
    assert [pieces.number(piece) for piece in VOCABULARY] == list(range(len(VOCABULARY)))
    with pytest.raises(KeyError):
        pieces.number("[none]")
