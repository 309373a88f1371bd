"""What is not a number is refused before it becomes a wrong one."""

import numpy as np
import pytest

from ragstone.stats._arrays import cluster_codes, finite, labels01


def test_finite_rejects_matrix_and_labels01_converts_labels() -> None:
    with pytest.raises(ValueError, match=r"scores has shape \(2, 2\)"):
        finite(np.zeros((2, 2)), "scores")
    assert labels01([True, 0, 1.0]).tolist() == [1.0, 0.0, 1.0]


def test_cluster_codes_number_by_first_appearance_with_none_as_singleton() -> None:
    assert cluster_codes(None, 3) is None
    assert cluster_codes(["x", "y", "x", None, None], 5).tolist() == [0, 1, 0, 2, 3]
    assert cluster_codes(["x", "x"], 2) is None
    assert cluster_codes(["x", "y"], 2) is None
