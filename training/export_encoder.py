"""Write the encoder as the package reads it: 4-bit integers with a scale for each group, and plain arrays.

python -m training.export_encoder    writes encoder.npz and encoder.sha256 into src/ragstone/judges/local
"""

import hashlib
import zipfile

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ragstone.judges.local.model.encoder import FILE, HASH_FILE
from ragstone.judges.local.model.four_bits import packed, rounded
from training.export import archive
from training.mpnet import LINES, OUTPUTS, Encoder, pretrained, vocabulary
from training.paths import ENCODER, WEIGHTS

Array = NDArray[np.generic]
_CYRILLIC = "\u0400"
"""The first letter after those of Latin and Greek."""


def arrays(model: Encoder) -> dict[str, Array]:
    """Return the weights of an encoder under the names of the package."""
    pieces = vocabulary()
    readable = [number for number, piece in enumerate(pieces) if _readable(piece)]
    kept = _small("table", model.table[readable]) | {
        "places": _plain(model.texts[:, None] + model.places),
        "marks": _plain(model.marks),
        "distances": _plain(model.distances),
        "norm": _plain(model.norm),
        "layers": np.array(len(model.layers)),
        "vocabulary": np.frombuffer("\n".join(pieces[i] for i in readable).encode("utf-8"), np.uint8),
    }
    for i, layer in enumerate(model.layers):
        for name, weight in layer.named_parameters():
            key = f"layer.{i}.{name}"
            kept |= _small(key, weight) if name in LINES else {key: _plain(weight)}
    for task in OUTPUTS:
        head = model.heads[task]
        kept[f"head.{task}.slopes"] = _plain(head.weight.T)
        kept[f"head.{task}.intercepts"] = _plain(head.bias)
    return kept


def _readable(piece: str) -> bool:
    """Whether a piece can occur in texts that the judge reads; texts in scripts other than Latin are refused before."""
    return not piece.startswith("[unused") and all(char < _CYRILLIC for char in piece if char.isalpha())


def _plain(weight: Tensor) -> NDArray[np.float32]:
    return np.ascontiguousarray(weight.detach().numpy().astype(np.float32))


def _small(name: str, weight: Tensor) -> dict[str, Array]:
    whole, scales = rounded(_plain(weight))
    return {name: packed(whole), f"{name}.scales": scales}


def main() -> None:
    """Write both files."""
    kept = torch.load(ENCODER)
    model = pretrained(layers=1 + max(int(key.split(".")[1]) for key in kept if key.startswith("layers.")))
    model.load_state_dict(kept)
    data = archive(arrays(model), zipfile.ZIP_DEFLATED)
    (WEIGHTS / FILE).write_bytes(data)
    (WEIGHTS / HASH_FILE).write_text(hashlib.sha256(data).hexdigest() + "\n", "ascii")
    print(f"{len(data) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
