"""The static word vectors of the wordllama package, read in place.

Two files: a tokenizer, and a table of 32,000 half-precision vectors. The table is mapped into memory rather
than loaded, so a process starts fast and processes share the pages. wordllama itself is not imported: it
would set up logging for the whole process, load an HTTP client, and look for its tokenizer on the network.
"""

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from ragstone.errors import UsageError

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_TENSOR = "embedding.weight"


class StaticModel(NamedTuple):
    """A vector for each token.

    Attributes:
        table: shape (tokens, 256).
        tokenizer: splits texts into tokens.
    """

    table: NDArray[np.float16]
    tokenizer: Tokenizer


@cache
def load_static() -> StaticModel:
    """Return the model, loaded once per process.

    Raises:
        UsageError: the package that contains it is not installed.
    """
    spec = find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise UsageError(
            "The local embedder needs the package wordllama, which is not installed: pip install wordllama"
        )
    folder = Path(spec.submodule_search_locations[0])
    tokenizer = Tokenizer.from_file(str(folder / _TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return StaticModel(_map_tensor(folder / _WEIGHTS), tokenizer)


def _map_tensor(path: Path) -> NDArray[np.float16]:
    """Map the tensor of a safetensors file: 8 bytes of header length, the header in JSON, the numbers."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        tensor = json.loads(file.read(length))[_TENSOR]
    begin, _ = tensor["data_offsets"]
    mapped = np.memmap(path, np.float16, "r", offset=8 + length + begin, shape=tuple(tensor["shape"]))
    return mapped.view(np.ndarray)  # which is indexed faster
