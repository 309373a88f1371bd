import pytest

from ragstone.judges.local import _grounds
from ragstone.judges.local._evidence import analyse
from ragstone.judges.local._features import read


@pytest.mark.parametrize(
    ("claim", "passage", "expected"),
    [
        (
            "It opened in 1901.",
            "It opened in 1889.",
            'another number: the statement says "1901", the passage "1889"',
        ),
        (
            "Sales rose in May.",
            "Sales fell in May.",
            'an opposite: the statement says "rose", the passage "fell"',
        ),
        ("Ada did not win.", "Ada won.", "negation: only the statement denies it"),
        ("Ada won.", "Ada won.", ""),
    ],
)
def test_what_speaks_against_a_statement_is_said_in_words(claim: str, passage: str, expected: str) -> None:
    evidence = analyse([passage])
    assert _grounds.against(read(claim, evidence).alignments, evidence) == expected


def test_missing_words_are_named() -> None:
    evidence = analyse(["Ada won the prize."])
    assert _grounds.missing(read("Ada won the lottery.", evidence).alignments) == '"lottery" is not found'
