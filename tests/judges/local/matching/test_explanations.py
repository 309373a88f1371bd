from tests.testing.for_each import for_each

from ragstone.judges.local.matching import explanations
from ragstone.judges.local.matching.alignment import Alignment
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, index_evidence
from ragstone.judges.local.measurement import analyse


def _aligned(claim: str, passage: str) -> tuple[tuple[Alignment, ...], EvidenceIndex]:
    evidence = index_evidence([passage])
    analysed = analyse(claim, evidence)
    assert analysed is not None
    return analysed.alignments, evidence


@for_each(
    "claim, passage, expected",
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
        ("Ada did not win.", "Ada won.", 'the passage says otherwise: "Ada won."'),
    ],
)
def test_a_contradiction_is_explained(claim: str, passage: str, expected: str) -> None:
    assert explanations.describe_contradiction(*_aligned(claim, passage)) == expected


@for_each(
    "claim, passage, expected",
    [
        (
            "The old tower was opened in 1887.",
            "The old tower was opened in 1889.",
            'another number: the statement says "1887", the passage "1889"',
        ),
        (
            "Raw stones cost 20 euros more than polished stones.",
            "Polished stones cost 20 euros more than raw stones.",
            'exchanged: the passage has "Raw" and "polished" the other way round',
        ),
        ("The old tower was opened in 1889.", "The old tower was opened in 1889.", ""),
    ],
)
def test_an_edited_copy_is_described(claim: str, passage: str, expected: str) -> None:
    assert explanations.describe_edited_copy(*_aligned(claim, passage)) == expected


def test_missing_words_are_named() -> None:
    alignments, _ = _aligned("Ada won the lottery.", "Ada won the prize.")
    assert explanations.describe_missing_words(alignments) == '"lottery" is not found'
