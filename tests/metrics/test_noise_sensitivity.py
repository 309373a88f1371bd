import pytest
from tests.metrics.test_rag_checker import EXAMPLE

from ragstone.errors import BadOption, NotApplicable
from ragstone.metrics import NoiseSensitivity
from ragstone.metrics.shared.claim_matrix import ClaimMatrix


def test_noise_sensitivity_to_relevant_and_irrelevant_passages() -> None:
    relevant = NoiseSensitivity().score(EXAMPLE)
    irrelevant = NoiseSensitivity(mode="irrelevant").score(EXAMPLE)
    assert relevant.value == pytest.approx(1 / 5)
    assert irrelevant.value == pytest.approx(1 / 5)
    assert relevant.metadata["relevant_passages"] == [1, 2]
    assert not NoiseSensitivity.higher_is_better


def test_noise_sensitivity_without_claims_is_not_applicable() -> None:
    with pytest.raises(NotApplicable):
        NoiseSensitivity().score(ClaimMatrix())


def test_a_mode_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadOption):
        NoiseSensitivity(mode="both")  # type: ignore[arg-type]
