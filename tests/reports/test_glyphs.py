import pytest

from ragstone.reports._glyphs import FINE, PLAIN, glyphs_for


@pytest.mark.parametrize(
    ("encoding", "glyphs"), [("utf-8", FINE), ("ascii", PLAIN), ("cp1252", PLAIN), ("no-such", PLAIN)]
)
def test_the_finest_signs_that_can_be_shown(encoding: str, glyphs: object) -> None:
    assert glyphs_for(encoding) is glyphs


def test_plain_signs_are_ascii_and_as_many() -> None:
    assert len(PLAIN.bars) == len(FINE.bars)
    signs = [getattr(PLAIN, name) for name in PLAIN.__slots__ if name != "ascii"]
    assert all(sign.isascii() for sign in signs)
    marks = [PLAIN.passed, PLAIN.below, PLAIN.undecided, PLAIN.failed]
    assert len(set(marks)) == len(marks)
