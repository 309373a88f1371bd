"""Whether the cross-encoder adds anything to the light model on sets that neither of them saw (dev rows).

python -m training.blend             after training.windows, training.train and training.cross_encoder
"""

import json
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from training.cross_encoder import BATCH, batch
from training.labelled_data import HELD_OUT, TRAINED
from training.measures import auroc
from training.minilm import Encoder, pretrained
from training.paths import CROSS_ENCODER, MODELS, WINDOWS
from training.tables import load

SHARES = (0.1, 0.2, 0.3, 0.5, 1.0)
"""What a point of the cross-encoder's score counts beside a point of the light model's."""


def scores(model: Encoder, tokenizer: Tokenizer, rows: list[dict[str, Any]]) -> NDArray[np.float64]:
    """Return the cross-encoder's scores of some rows, in their order."""
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]["window"]) + len(rows[i]["text"]))
    found = np.zeros(len(rows))
    with torch.inference_mode():
        for at in range(0, len(order), BATCH):
            part = order[at : at + BATCH]
            found[part] = model(*batch([rows[i] for i in part], tokenizer)[:3]).numpy()
    return found


def main() -> None:
    """Print a line for each held-out set."""
    torch.set_num_threads(1)
    model, tokenizer = pretrained()
    kept = torch.load(CROSS_ENCODER)
    model.load_state_dict(kept["model"])
    model.eval()
    print(f"after {kept['seen']} pairs")
    windows = [json.loads(line) for line in WINDOWS.read_text("utf-8").splitlines()]
    with np.load(MODELS) as models:
        for name in [name for name in TRAINED if name in HELD_OUT]:
            table, rows = load()[name], [row for row in windows if row["set"] == name and not row["test"]]
            labels, light = table.labels[~table.test], models[f"held_out.{name}"][~table.test]
            own = scores(model, tokenizer, rows)
            blends = ", ".join(f"{share} {auroc(labels, light + share * own):.3f}" for share in SHARES)
            print(
                f"{name}: AUROC {auroc(labels, own):.3f}, light model {auroc(labels, light):.3f}, blended {blends}"
            )


if __name__ == "__main__":
    main()
