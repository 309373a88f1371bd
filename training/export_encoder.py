"""Write the encoder as the package reads it: 8-bit integers with one scale a row, and plain arrays.

python -m training.export_encoder    writes encoder.npz and encoder.sha256 into src/ragstone/judges/local
"""

import hashlib
import zipfile

import numpy as np
import torch
from numpy.typing import NDArray

from ragstone.judges.local.model.encoder import FILE, HASH_FILE, LENGTH
from training.export import archive
from training.minilm import OUTPUTS, Encoder, pretrained, vocabulary
from training.paths import ENCODER, WEIGHTS

Array = NDArray[np.float32]


def arrays(model: Encoder) -> dict[str, NDArray[np.generic]]:
    """Return the weights of an encoder by the names that the package knows."""

    def weight(name: str, part: str = "weight") -> Array:
        return model.weight(name, part).detach().numpy().astype(np.float32)

    table, scales = rounded(weight("embeddings.word_embeddings"))
    places = weight("embeddings.position_embeddings")[:LENGTH]
    kept: dict[str, NDArray[np.generic]] = {
        "table": table,
        "table.scales": scales,
        "places": weight("embeddings.token_type_embeddings")[:2, None] + places,
        "marks": model.marks.detach().numpy(),
        "norm": np.stack([weight("embeddings.LayerNorm"), weight("embeddings.LayerNorm", "bias")]),
        "layers": np.array(model.layers),
        "vocabulary": np.frombuffer("\n".join(vocabulary()).encode("utf-8"), np.uint8),
    }
    for i in range(model.layers):
        name, at = f"layer.{i}", f"encoder.layer.{i}"
        parts = [f"{at}.attention.self.{part}" for part in ("query", "key", "value")]
        lines = {
            "qkv": (
                np.concatenate([weight(p) for p in parts]),
                np.concatenate([weight(p, "bias") for p in parts]),
            ),
            "output": (
                weight(f"{at}.attention.output.dense"),
                weight(f"{at}.attention.output.dense", "bias"),
            ),
            "inner": (weight(f"{at}.intermediate.dense"), weight(f"{at}.intermediate.dense", "bias")),
            "outer": (weight(f"{at}.output.dense"), weight(f"{at}.output.dense", "bias")),
        }
        for part, (slopes, bias) in lines.items():
            whole, scale = rounded(slopes)
            kept |= {
                f"{name}.{part}": np.ascontiguousarray(whole.T),
                f"{name}.{part}.scales": np.ascontiguousarray(scale.T),
                f"{name}.{part}_bias": bias,
            }
        for part, norm in (("norm", "attention.output.LayerNorm"), ("outer_norm", "output.LayerNorm")):
            kept[f"{name}.{part}"] = np.stack([weight(f"{at}.{norm}"), weight(f"{at}.{norm}", "bias")])
    for task in OUTPUTS:
        head = model.heads[task]
        kept[f"head.{task}.slopes"] = head.weight.detach().numpy().T.copy()
        kept[f"head.{task}.intercepts"] = head.bias.detach().numpy()
    return kept


def rounded(weights: Array) -> tuple[NDArray[np.int8], Array]:
    """Return 8-bit integers and the scale of each row, shape (rows, 1)."""
    scales = np.abs(weights).max(axis=1, keepdims=True) / 127
    return np.round(weights / np.maximum(scales, 1e-12)).astype(np.int8), scales.astype(np.float32)


def main() -> None:
    """Write both files."""
    model = pretrained()
    model.load_state_dict(torch.load(ENCODER))
    data = archive(arrays(model), zipfile.ZIP_STORED)  # integers hardly shrink, and it would cost every start
    (WEIGHTS / FILE).write_bytes(data)
    (WEIGHTS / HASH_FILE).write_text(hashlib.sha256(data).hexdigest() + "\n", "ascii")
    print(f"{len(data) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
