import pytest

from ragstone.reports.console.glyphs import ASCII_GLYPHS, UNICODE_GLYPHS, glyphs_for


@pytest.mark.parametrize(
    ("encoding", "glyphs"),
    [("utf-8", UNICODE_GLYPHS), ("ascii", ASCII_GLYPHS), ("cp1252", ASCII_GLYPHS), ("no-such", ASCII_GLYPHS)],
)
def test_glyphs_are_chosen_by_encoding(encoding: str, glyphs: object) -> None:
    assert glyphs_for(encoding) is glyphs


def test_ascii_glyphs_are_ascii_with_distinct_marks() -> None:
    assert len(ASCII_GLYPHS.bars) == len(UNICODE_GLYPHS.bars)
    signs = [getattr(ASCII_GLYPHS, name) for name in ASCII_GLYPHS.__slots__ if name != "ascii"]
    assert all(sign.isascii() for sign in signs)
    marks = [ASCII_GLYPHS.passed, ASCII_GLYPHS.missed, ASCII_GLYPHS.undecided, ASCII_GLYPHS.not_measured]
    assert len(set(marks)) == len(marks)
