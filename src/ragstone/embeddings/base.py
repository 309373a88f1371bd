"""The embedder protocol: texts in, vectors out; any class with these members is an embedder. And embedders by spec."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from ragstone.errors import BadOption
from ragstone.providers.find import find_member

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BUILTIN = {
    "local": "ragstone.embeddings.local:LocalEmbedder",
    "ollama": "ragstone.embeddings.ollama:OllamaEmbedder",
    "openai": "ragstone.embeddings.openai:OpenAIEmbedder",
}


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


def get_embedder(spec: str = "local", **options: Any) -> Embedder:  # noqa: ANN401  (each embedder's own)
    """Return the embedder that `spec` names.

    Args:
        spec: `local`, `openai[:model]`, `ollama[:model]`, an entry point's name, or `package.module:Class`.
        options: passed to the embedder's class, such as `base_url`.

    Raises:
        UnknownName: no embedder has that name.
        UsageError: it needs a key and there is none.
    """
    factory, model = find_member("embedder", spec.strip(), BUILTIN)
    if model and spec.strip().startswith("local:"):
        raise BadOption(f"The local embedder has one model: write 'local', not {spec!r}.")
    if model:
        options = {"model": model, **options}
    embedder: object = factory(**options) if callable(factory) else factory
    if not isinstance(embedder, Embedder):
        raise BadOption(f"{spec!r} is not an embedder: it needs a name and an async embed(texts).")
    return embedder
