"""Word vectors without a start-up cost: the static embeddings that the `wordllama` package carries.

Its two files (a tokenizer and a table of 32 000 half-precision vectors) are read where they lie: the table is
mapped, not loaded, nothing is downloaded, and `wordllama` itself is never imported, which saves a quarter of
a second and `requests`. A word's vector is the mean of the vectors of its pieces, scaled to length one.
Vectors depend on the word alone.
"""

import importlib.util
import json
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

DIMENSIONS = 256
_UNKNOWN_WEIGHT = 12.0
_TENSOR = "embedding.weight"
_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"

Vectors = NDArray[np.float32]


@lru_cache(maxsize=32768)
def word_vector(word: str) -> tuple[Vectors, float]:
    """Return the unit vector of one word, shape (256,), and the word's weight.

    The weight is the length of its longest piece: training made the vectors of telling words long and those
    of words that stand everywhere short ("the" 1.6, "said" 6.4, "government" 11.5), so length does the work
    of an inverse document frequency, without a table of counts.
    """
    table, tokenizer = _files()
    pieces = tokenizer.encode(word, add_special_tokens=False).ids
    if not pieces:
        return np.zeros(DIMENSIONS, np.float32), _UNKNOWN_WEIGHT
    found = table[pieces].astype(np.float32)
    mean = found.mean(axis=0)
    unit = mean / max(float(np.linalg.norm(mean)), 1e-9)
    unit.flags.writeable = False
    return unit, float(np.linalg.norm(found, axis=1).max())


def word_weights(words: list[str]) -> Vectors:
    """Return how much each word tells, shape (words,)."""
    return np.array([word_vector(word)[1] for word in words], np.float32)


def vectors(words: list[str]) -> Vectors:
    """Return one unit vector per word, shape (words, 256)."""
    return (
        np.stack([word_vector(word)[0] for word in words]) if words else np.zeros((0, DIMENSIONS), np.float32)
    )


@cache
def _files() -> tuple[NDArray[np.float16], Tokenizer]:
    spec = importlib.util.find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise ImportError("the embedded judge needs the package wordllama: pip install wordllama")
    folder = Path(spec.submodule_search_locations[0])
    return _read_table(folder / _WEIGHTS), Tokenizer.from_file(str(folder / _TOKENIZER))


def _read_table(path: Path) -> NDArray[np.float16]:
    """Map the one tensor of a safetensors file: 8 bytes of header length, a JSON header, raw numbers."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        tensor: dict[str, Any] = json.loads(file.read(size))[_TENSOR]
    begin, _ = tensor["data_offsets"]
    return np.memmap(path, np.float16, "r", offset=8 + size + begin, shape=tuple(tensor["shape"]))
