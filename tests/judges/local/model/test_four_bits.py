"""Weights of four bits: what is kept of them."""

import numpy as np

from ragstone.judges.local.model.four_bits import GROUP, packed, rounded, unpacked

WEIGHTS = np.random.default_rng(1).normal(size=(5, 3 * GROUP)).astype(np.float32)


def kept(weights: np.ndarray) -> np.ndarray:
    whole, scales = rounded(weights)
    return unpacked(packed(whole), scales)


def test_two_integers_fit_into_a_byte() -> None:
    whole, scales = rounded(WEIGHTS)
    halves = packed(whole)
    assert (halves.dtype, halves.shape) == (np.uint8, (5, 3 * GROUP // 2))
    assert scales.shape == (5, 3)
    np.testing.assert_array_equal(np.round(unpacked(halves, np.ones_like(scales))), whole)


def test_a_weight_is_off_by_half_a_step_of_its_group_at_most() -> None:
    step = np.abs(WEIGHTS.reshape(5, 3, GROUP)).max(axis=2).repeat(GROUP, axis=1) / 7
    assert (np.abs(kept(WEIGHTS) - WEIGHTS) <= step * 0.502).all()  # the scale has half precision


def test_each_group_has_its_own_scale() -> None:
    small = WEIGHTS.copy()
    small[:, :GROUP] /= 1000
    np.testing.assert_allclose(kept(small)[:, :GROUP] * 1000, kept(WEIGHTS)[:, :GROUP], rtol=0.01, atol=0.01)


def test_rounding_what_was_rounded_changes_nothing() -> None:
    np.testing.assert_allclose(kept(kept(WEIGHTS)), kept(WEIGHTS), rtol=1e-6)


def test_zero_weights_stay_zero() -> None:
    assert not kept(np.zeros((2, GROUP), np.float32)).any()
