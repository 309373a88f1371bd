import numpy as np
import pytest

from ragstone.judges.local.matching.evidence_index import index_evidence
from ragstone.judges.local.model.features import (
    FEATURE_NAMES,
    FEATURE_SIGNS,
    GAP_DIMENSIONS,
    measure_statement,
)


def test_copy_has_full_support_features_and_no_conflicts() -> None:
    text = "Maria Kessel designed the Orrin Bridge in 1889."
    values: dict[str, float] = dict(
        zip(FEATURE_NAMES, measure_statement(text, index_evidence([text])).values.tolist(), strict=False)
    )
    assert (values["exact_1"], values["subsequence"]) == pytest.approx((1, 1))
    assert values["covered"] == pytest.approx(1)
    against = {name for name, sign in zip(FEATURE_NAMES, FEATURE_SIGNS, strict=True) if sign < 0}
    assert all(values[name] == 0 for name in against - {"loosest", "absolute_added"})


def test_numbers_and_names_that_are_missing_count_against() -> None:
    reading = measure_statement(
        "Paul Anders designed it in 1901.", index_evidence(["Maria Kessel designed it in 1889."])
    )
    values = dict(zip(FEATURE_NAMES, reading.values, strict=False))
    assert values["number_conflict"] > 0.5
    assert values["name_missing"] > 0.5
    assert np.abs(reading.gaps).sum() > 0


def test_empty_statement_or_evidence_has_no_alignments() -> None:
    for reading in (
        measure_statement("", index_evidence(["Text."])),
        measure_statement("Text.", index_evidence([])),
    ):
        assert not reading.alignments
        assert reading.values.shape == (2 * len(FEATURE_NAMES),)
        assert reading.gaps.shape == (GAP_DIMENSIONS,)
