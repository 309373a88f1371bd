"""The mean of two trainings."""

import pytest

torch = pytest.importorskip("torch", reason="the encoder's training needs torch", exc_type=ImportError)

from training.average import averaged  # noqa: E402  (needs torch)


def test_averaged_weights_are_mixed_by_the_share() -> None:
    found = averaged({"weight": torch.tensor([2.0, 4.0])}, {"weight": torch.tensor([0.0, 8.0])}, 0.75)
    assert {name: weight.tolist() for name, weight in found.items()} == {"weight": [1.5, 5.0]}


def test_averaging_different_networks_is_rejected() -> None:
    with pytest.raises(ValueError, match=r"not the same network: \['other', 'weight'\]"):
        averaged({"weight": torch.zeros(1)}, {"other": torch.zeros(1)}, 0.5)
