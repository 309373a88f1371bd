from tests.testing.for_each import for_each

from ragstone.judges.local.matching.alignment import align
from ragstone.judges.local.matching.conflicts import conflict_features
from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.text.tokens import tokens


def found(claim: str, passage: str) -> dict[str, float]:
    evidence = index_evidence([passage])
    alignment = align(tokens(claim)[0], evidence)
    assert alignment is not None
    return conflict_features(alignment, evidence)


@for_each(
    "claim, passage, kind",
    [
        ("Ada moved to Rome in 1998.", "Ada moved to Rome in 1999.", "number_conflict"),
        ("Ada moved to Oslo in 1999.", "Ada moved to Rome in 1999.", "name_conflict"),
        ("Ada did not move to Rome.", "Ada moved to Rome.", "negated_only_here"),
        ("Ada moved to Rome.", "Ada never moved to Rome.", "negated_only_there"),
        ("Sales increased sharply.", "Sales decreased sharply.", "opposite"),
    ],
)
def test_each_kind_of_conflict_is_seen_and_a_copy_has_none(claim: str, passage: str, kind: str) -> None:
    assert found(claim, passage)[kind] > 0.4
    assert not any(found(passage, passage).values())


@for_each(
    "claim, passage",
    [
        ("Take no more than one tablet.", "Do not take more than one tablet in 24 hours."),
        (
            "Damage by water is insured.",
            "Damage by water is insured. Damage by rain through windows is not insured.",
        ),
        (
            "Damage to carpets by pipes is insured.",
            "We pay for damage to carpets by pipes. Frost is not insured.",
        ),
    ],
)
def test_bounds_and_neighbouring_sentences_are_not_negations(claim: str, passage: str) -> None:
    values = found(claim, passage)
    assert values["negated_only_there"] == values["negated_only_here"] == 0
