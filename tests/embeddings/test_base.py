import numpy as np
import pytest

from ragstone.embeddings.base import unit_rows


def test_rows_become_length_one_and_zeros_stay() -> None:
    rows = unit_rows(np.array([[3, 4], [0, 0], [1e-30, 0]], np.float32))
    assert rows == pytest.approx(np.array([[0.6, 0.8], [0, 0], [1, 0]], np.float32))
    assert rows.dtype == np.float32
