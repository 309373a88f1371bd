"""Make the table of static vectors that is in the package, from the one in the wheel of wordllama.

    python -m training.static_table

Each row of half-precision numbers becomes 8-bit integers and a scale: half the size, and an error of at most 0.4 % of
the row's largest number. The vocabulary is kept in its order, which is the order of the merges.
"""

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ragstone.embeddings.static.table import FOLDER, NUMBERS, SCALES, VOCABULARY

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
_MAX_INTEGER = 127


def source() -> Path:
    """Return the folder of the package with the table, without importing it."""
    spec = find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("pip install wordllama: its wheel holds the table")
    return Path(spec.submodule_search_locations[0])


def read_table(folder: Path) -> NDArray[np.float32]:
    """Return the tensor of a safetensors file: 8 bytes of header length, the header in JSON, the numbers."""
    data = (folder / _WEIGHTS).read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    tensor = json.loads(data[8:begin])["embedding.weight"]
    first, last = (begin + offset for offset in tensor["data_offsets"])
    return np.frombuffer(data[first:last], np.float16).reshape(tensor["shape"]).astype(np.float32)


def vocabulary(folder: Path) -> list[str]:
    """Return the pieces in the order of their numbers."""
    ids = json.loads((folder / _TOKENIZER).read_text("utf-8"))["model"]["vocab"]
    return sorted(ids, key=ids.__getitem__)


def main() -> None:
    """Write the three files."""
    table = read_table(source())
    scales = np.maximum(np.abs(table).max(axis=1), 1e-9) / _MAX_INTEGER
    np.save(FOLDER / NUMBERS, np.rint(table / scales[:, None]).astype(np.int8))
    np.save(FOLDER / SCALES, scales.astype(np.float32))
    text = json.dumps(vocabulary(source()), ensure_ascii=False, separators=(",", ":"))
    (FOLDER / VOCABULARY).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
