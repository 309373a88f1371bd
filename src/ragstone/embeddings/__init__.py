"""Texts to vectors: the embedded default, and embedding servers."""

from ragstone.embeddings.base import Embedder
from ragstone.embeddings.find import get_embedder

__all__ = ["Embedder", "get_embedder"]
