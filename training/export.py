"""Write the weights that the package ships, and their hash.

python -m training.export            writes weights.npz and weights.sha256 into src/ragstone/judges/local
"""

import hashlib
import io
import zipfile

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.model.weights import FILE, HASH_FILE
from training.paths import CHANCES, DECISION, MODELS, WEIGHTS


def main() -> None:
    """Join the model and the lines. The bytes of the file depend only on the numbers."""
    with np.load(MODELS) as models:
        arrays = {key: models[key] for key in models if key.startswith("correctness.")}
    for path in (CHANCES, DECISION):
        with np.load(path) as lines:
            arrays |= {key: lines[key] for key in lines}
    data = archive(arrays)
    (WEIGHTS / FILE).write_bytes(data)
    (WEIGHTS / HASH_FILE).write_text(hashlib.sha256(data).hexdigest() + "\n", "ascii")
    print(f"{len(arrays)} arrays, {len(data) / 1000:.0f} kB")


def archive(arrays: dict[str, NDArray[np.generic]], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return the arrays as an npz without dates, so that equal numbers give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as file:
        for key in sorted(arrays):
            member = io.BytesIO()
            np.lib.format.write_array(member, np.asarray(arrays[key]), allow_pickle=False)
            file.writestr(zipfile.ZipInfo(f"{key}.npy"), member.getvalue(), compression)
    return buffer.getvalue()


if __name__ == "__main__":
    main()
