"""Rows of length one, so that a dot product is a cosine."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def unit_rows(rows: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Return the rows scaled to length 1; rows of zeros stay."""
    import numpy as np  # noqa: PLC0415  (annotations alone do not load it)

    exact = rows.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    return (exact / np.where(lengths == 0, 1, lengths)).astype(np.float32)
