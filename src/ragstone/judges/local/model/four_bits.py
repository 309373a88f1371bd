"""Weights as integers of four bits: two in a byte, and a scale for each group of a row."""

import numpy as np
from numpy.typing import NDArray

GROUP = 64
"""Neighbours in a row that share a scale."""
MOST = 7
"""The largest integer; the smallest is its negative."""


def rounded(weights: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Return integers from -7 to 7, shape (rows, columns), and their scales, shape (rows, columns / GROUP)."""
    groups = weights.reshape(len(weights), -1, GROUP)
    scales = (np.abs(groups).max(axis=2) / MOST).astype(np.float16)
    steps: NDArray[np.float32] = np.maximum(scales.astype(np.float32), np.float32(1e-7))
    whole: NDArray[np.float32] = np.rint(groups / steps[:, :, None]).clip(-MOST, MOST)
    return whole.astype(np.int8).reshape(weights.shape), scales


def packed(whole: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Return two integers in each byte, the first in its lower half, shape (rows, columns / 2)."""
    halves = (whole + 8).astype(np.uint8)
    return halves[:, ::2] | np.left_shift(halves[:, 1::2], np.uint8(4))


def unpacked(halves: NDArray[np.uint8], scales: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return the weights that were rounded and packed, shape (rows, columns)."""
    whole = np.stack([halves & 15, halves >> 4], axis=2).astype(np.int8) - np.int8(8)
    groups = whole.reshape(*scales.shape, GROUP).astype(np.float32)
    return (groups * scales[:, :, None].astype(np.float32, copy=False)).reshape(len(halves), -1)
