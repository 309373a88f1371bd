"""The embedder protocol: texts in, vectors out. Any class with these members is an embedder."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def name(self) -> str:
        """Spec of the embedder, such as `local` or `openai:text-embedding-3-small`."""
        ...

    async def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return one row per text: shape (texts, dimensions), rows of length 1.

        Raises:
            ProviderError: the server refused or failed.
        """
        ...


def unit_rows(rows: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Return the rows scaled to length 1; rows of zeros stay."""
    import numpy as np  # noqa: PLC0415  (annotations alone do not load it)

    exact = rows.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    return (exact / np.where(lengths == 0, 1, lengths)).astype(np.float32)
