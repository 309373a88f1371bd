import pytest

from ragstone.judges.local.matching import explanations
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.model.features import measure_statement


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
def test_conflicts_with_a_statement_are_explained(claim: str, passage: str, expected: str) -> None:
    evidence = index_evidence([passage])
    assert (
        explanations.describe_counterevidence(measure_statement(claim, evidence).alignments, evidence)
        == expected
    )


def test_missing_words_are_named() -> None:
    evidence = index_evidence(["Ada won the prize."])
    assert (
        explanations.describe_missing_words(measure_statement("Ada won the lottery.", evidence).alignments)
        == '"lottery" is not found'
    )
