"""Write the encoder in the format of the package: 4-bit integers with a scale for each group, and float arrays.

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
from training.mpnet import LINEAR_WEIGHTS, OUTPUTS, Encoder, pretrained, vocabulary
from training.paths import ENCODER, WEIGHTS

Array = NDArray[np.generic]
_FIRST_CYRILLIC = "\u0400"
"""The first letter after those of Latin and Greek."""


def arrays(model: Encoder) -> dict[str, Array]:
    """Return the weights of an encoder under the names of the package."""
    pieces = vocabulary()
    kept_pieces = [index for index, piece in enumerate(pieces) if _is_readable(piece)]
    result = _quantised("table", model.table[kept_pieces]) | {
        "places": _float32(model.texts[:, None] + model.places),
        "marks": _float32(model.marks),
        "distances": _float32(model.distances),
        "norm": _float32(model.norm),
        "layers": np.array(len(model.layers)),
        "vocabulary": np.frombuffer("\n".join(pieces[i] for i in kept_pieces).encode("utf-8"), np.uint8),
    }
    for i, layer in enumerate(model.layers):
        for name, weight in layer.named_parameters():
            key = f"layer.{i}.{name}"
            result |= _quantised(key, weight) if name in LINEAR_WEIGHTS else {key: _float32(weight)}
    for task in OUTPUTS:
        head = model.heads[task]
        result[f"head.{task}.slopes"] = _float32(head.weight.T)
        result[f"head.{task}.intercepts"] = _float32(head.bias)
    return result


def _is_readable(piece: str) -> bool:
    """Whether a piece can occur in texts that the judge reads. Texts in scripts other than Latin are refused before."""
    return not piece.startswith("[unused") and all(char < _FIRST_CYRILLIC for char in piece if char.isalpha())


def _float32(weight: Tensor) -> NDArray[np.float32]:
    return np.ascontiguousarray(weight.detach().numpy().astype(np.float32))


def _quantised(name: str, weight: Tensor) -> dict[str, Array]:
    integers, scales = rounded(_float32(weight))
    return {name: packed(integers), f"{name}.scales": scales}


def main() -> None:
    """Write both files."""
    state = torch.load(ENCODER)
    model = pretrained(layers=1 + max(int(key.split(".")[1]) for key in state if key.startswith("layers.")))
    model.load_state_dict(state)
    data = archive(arrays(model), zipfile.ZIP_DEFLATED)
    (WEIGHTS / FILE).write_bytes(data)
    (WEIGHTS / HASH_FILE).write_text(hashlib.sha256(data).hexdigest() + "\n", "ascii")
    print(f"{len(data) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
