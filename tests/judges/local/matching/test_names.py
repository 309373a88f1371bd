import pytest

from ragstone.judges.local.matching.alignment import align
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.matching.names import displaced_names
from ragstone.text.tokens import tokens

PASSAGE = "The town hall was built to a design by Matthias Orlen, the court architect. Its stone is from Hesk quarries."


def seen(claim: str) -> list[tuple[str, str]]:
    evidence = index_evidence([PASSAGE])
    alignment = align(tokens(claim)[0], evidence)
    assert alignment is not None
    return [(mine.word, theirs.word) for mine, theirs in displaced_names(alignment, evidence)]


@pytest.mark.parametrize(
    ("claim", "pairs"),
    [
        ("The town hall was designed by the court architect Johann Hesk.", [("Johann", "Matthias")]),
        ("The town hall was designed by the court architect Matthias Orlen.", []),
        ("The town hall was designed by the court architect Orlen.", []),
        ("The town hall was visited by Johann Hesk.", []),
    ],
)
def test_a_name_displaces_the_one_that_stands_among_the_same_words(
    claim: str, pairs: list[tuple[str, str]]
) -> None:
    assert seen(claim) == pairs
