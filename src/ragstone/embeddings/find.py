"""Find an embedder by its spec, such as `local` or `openai:text-embedding-3-small`."""

from typing import Any

from ragstone.embeddings.base import Embedder
from ragstone.errors import BadOption
from ragstone.providers.find import find_member

BUILTIN = {
    "local": "ragstone.embeddings.local:LocalEmbedder",
    "ollama": "ragstone.embeddings.ollama:OllamaEmbedder",
    "openai": "ragstone.embeddings.openai:OpenAIEmbedder",
}


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
