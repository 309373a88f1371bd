"""The shape of an embedder: texts in, vectors out. A class of your own with this shape will do."""

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
        """Return one row a text: shape (texts, dimensions), rows of length 1.

        Raises:
            ProviderError: the server refused or failed.
        """
        ...
