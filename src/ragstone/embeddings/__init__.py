"""Embedders turn texts into vectors: the embedded default, and clients of embedding servers."""

from ragstone.embeddings.base import Embedder, get_embedder

__all__ = ["Embedder", "get_embedder"]
