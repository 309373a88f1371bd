"""Embeddings a test can reckon with: given vectors for given texts, a bag of hashed words for all others."""

import math
import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b

DIMENSIONS = 64


def embedding(text: str, given: Mapping[str, Sequence[float]], dimensions: int | None = None) -> list[float]:
    """The vector of a text: as given, or of unit length from its words; equal texts have equal vectors."""
    if text in given:
        return list(given[text])
    size = dimensions or DIMENSIONS
    vector = [0.0] * size
    for word in re.findall(r"\w+", text.lower()):
        digest = blake2b(word.encode(), digest_size=8).digest()
        vector[int.from_bytes(digest[:4]) % size] += 1.0 if digest[4] & 1 else -1.0
    norm = math.sqrt(sum(x * x for x in vector))
    return [x / norm for x in vector] if norm else [1.0, *vector[1:]]
