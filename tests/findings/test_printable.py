from unicodedata import category

from hypothesis import given
from hypothesis import strategies as st

from ragstone.findings.printable import one_line, printable

EVERY_CHARACTER = st.text(st.characters(categories=("C", "L", "M", "N", "P", "S", "Z")))


def test_plain_text_stays_as_it_is() -> None:
    persian = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"  # its joiner is part of its spelling
    text = f"Zürich, 25 °C, 日本語, שלום,\n\ttabs, é, 👩\u200d🚒, {persian}"
    assert printable(text) == text


def test_control_characters_are_replaced_by_symbols() -> None:
    assert printable("\x1b[31m\x07\x00\x7f\x9b") == "␛[31m␇␀␡⟨U+009B⟩"


def test_bidi_characters_are_replaced_by_code_points() -> None:
    assert printable("\u202eabc\u2066\u200f") == "⟨U+202E⟩abc⟨U+2066⟩⟨U+200F⟩"


def test_surrogates_and_noncharacters_are_replaced_by_code_points() -> None:
    assert printable("\ud800\ufffe\u2028\U000e0041") == "⟨U+D800⟩⟨U+FFFE⟩⟨U+2028⟩⟨U+E0041⟩"


def test_soft_hyphen_and_zero_width_space_are_kept() -> None:
    assert printable("infor\xadmation\u200b") == "infor\xadmation\u200b"


def test_crlf_becomes_a_newline() -> None:
    assert printable("a\r\nb") == "a\nb"
    assert printable("a\rb") == "a␍b"


@given(EVERY_CHARACTER)
def test_no_text_keeps_a_control_character(text: str) -> None:
    safe = printable(text)
    safe.encode("utf-8")
    kept = {
        category(character) for character in safe if character not in "\n\t\u200c\u200d\xad\u200b\u2060\ufeff"
    }
    assert not kept & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert printable(safe) == safe


def test_one_line_has_no_line_ends_and_is_cut_with_an_ellipsis() -> None:
    assert one_line("  a\n\n b\tc ") == "a b c"
    assert one_line("abcdef", 4) == "abc…"
    assert one_line("abcd", 4) == "abcd"


@given(EVERY_CHARACTER, st.integers(1, 50))
def test_one_line_is_never_longer_than_asked(text: str, limit: int) -> None:
    flat = one_line(text, limit)
    assert len(flat) <= limit
    assert "\n" not in flat
