"""A small encoder that reads two texts together: six layers of MPNet in numpy (Song et al., arXiv:2004.09297).

The layers were trained further on pairs of texts; see `docs/explanation/embedded-judge.md`. Each piece also carries
whether the other text has it, too (`marks`; an exact match as in Chen et al., arXiv:1704.00051, section 3.2): a small
network is slow to learn to compare two texts piece by piece. Weights are kept as 4-bit integers (`four_bits`), and
multiplied as integers (`linear`). Pairs that are read together share the products of the linear maps, whose sums are
exact; all else is computed for each row or each pair alone. A verdict never depends on its batch.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.model.four_bits import unpacked
from ragstone.judges.local.model.linear import Linear, linear
from ragstone.judges.local.model.recent_outputs import RecentOutputs
from ragstone.judges.local.model.word_pieces import WordPieces

FILE = "encoder.npz"
HASH_FILE = "encoder.sha256"
LENGTH = 176
"""Pieces of a pair at most, marks included."""
FIRST, QUESTION = 64, 28
"""Pieces of the first text, and of the question before it, at most."""
MARKS = 6
"""Marks of a piece: see `marks`."""
_OPEN, _CLOSE, _AFTER_QUESTION = "[CLS]", "[SEP]", "|"
_HEADS = 12
_DISTANCES, _FAR = 32, 128
"""Distances between two pieces that attention tells apart, and the pieces from which on all are alike."""
_REMEMBERED = 4_096
"""Pairs whose outputs are kept."""
_GELU_STEPS, _GELU_LIMIT, _GELU_ROWS = 2_048, 8, 32
"""Steps of the table of `_gelu` per unit, the value from which on its factor is 1, and rows that fit a cache."""
_ROWS = 1_024
"""Pieces that are computed together, about: a product of many rows is a third faster than several of few."""

Vectors = NDArray[np.float32]
Task = Literal["support", "relevance", "usefulness", "correctness"]


class TextPair(NamedTuple):
    """Two texts that are read together.

    Attributes:
        question: what the first text answers, or an empty text.
        first: the text that is judged.
        second: what it is judged by.
    """

    question: str
    first: str
    second: str


@dataclass(frozen=True, slots=True, eq=False)
class EncoderLayer:
    """One layer.

    Attributes:
        qkv: queries, keys and values beside one another.
        output: of the attention.
        norm: gain and offset after the attention.
        inner: of the feed-forward part.
        outer: back to the width of the layer.
        outer_norm: gain and offset after the feed-forward part.
    """

    qkv: Linear
    output: Linear
    norm: Vectors
    inner: Linear
    outer: Linear
    outer_norm: Vectors

    def __call__(
        self, hidden: Vectors, distances: Vectors, lengths: Sequence[int], *, first_only: bool = False
    ) -> Vectors:
        """Return the next hidden states, shape (pieces, width), or those of the first piece of each pair alone.

        Args:
            hidden: of the layer below, those of all pairs below one another, shape (pieces, width).
            distances: what the distance of two places adds to their attention, shape (heads, length, length).
            lengths: pieces of each pair.
            first_only: whether no more than the first piece of each pair is wanted.
        """
        projected = np.split(self.qkv(hidden), np.cumsum(lengths)[:-1])
        wanted = [1 if first_only else length for length in lengths]
        mixed = [
            _attended(own, distances[:, :rows, : len(own)])
            for own, rows in zip(projected, wanted, strict=True)
        ]
        if first_only:
            hidden = hidden[np.cumsum([0, *lengths[:-1]])]
        hidden = _normed(hidden + self.output(np.concatenate(mixed)), self.norm)
        return _normed(hidden + self.outer(_gelu(self.inner(hidden))), self.outer_norm)


@dataclass(frozen=True, slots=True, eq=False)
class Encoder:
    """The whole network.

    Attributes:
        pieces: the tokenizer.
        table: a row for each piece in packed integers, shape (pieces, width / 2).
        scales: of each row of the table, shape (pieces, groups).
        places: what each place adds, by the number of the text (0 or 1), shape (2, length, width).
        distances: what the distance of two places adds to their attention, shape (heads, length, length).
        marks: what each mark adds, shape (MARKS, width).
        digits: for each piece whether it is a number, shape (pieces,).
        norm: gain and offset after the table.
        layers: bottom first.
        heads: of each task, slopes (width, outputs) and intercepts.
    """

    pieces: WordPieces
    table: NDArray[np.uint8]
    scales: NDArray[np.float16]
    places: Vectors
    distances: Vectors
    marks: Vectors
    digits: NDArray[np.bool_]
    norm: Vectors
    layers: tuple[EncoderLayer, ...]
    heads: dict[str, tuple[Vectors, Vectors]]

    def read(self, task: Task, pairs: Sequence[TextPair]) -> list[Vectors]:
        """Return the outputs of a task for each pair of texts."""
        known = [joined(self.pieces, *pair) for pair in pairs]
        lengths = [len(ids) for ids, _ in known]
        hidden = np.concatenate([self._first_states(ids, opening) for ids, opening in known])
        for layer in self.layers:
            hidden = layer(hidden, self.distances, lengths, first_only=layer is self.layers[-1])
        slopes, intercepts = self.heads[task]
        return [(row @ slopes + intercepts).astype(np.float32) for row in hidden.astype(np.float64)]

    def _first_states(self, pair: list[int], opening: int) -> Vectors:
        """Return what the first layer gets of a pair, shape (pieces, width)."""
        ids, marked = np.array(pair), marks(pair, opening, self.digits)
        texts = (np.arange(len(ids)) >= opening).astype(np.intp)
        hidden = unpacked(self.table[ids], self.scales[ids]) + self.places[texts, np.arange(len(ids))]
        return _normed(hidden + self.marks[marked], self.norm)


def joined(pieces: WordPieces, question: str, first: str, second: str) -> tuple[list[int], int]:
    """Return the pieces of a pair with the signs around them, and how many belong to question and first text."""
    start, end = pieces.number(_OPEN), pieces.number(_CLOSE)
    asked = pieces.ids(question)[:QUESTION]
    asked += [pieces.number(_AFTER_QUESTION)] if asked else []
    opening = [start, *asked, *pieces.ids(first)[:FIRST], end]
    return [*opening, *pieces.ids(second)[: LENGTH - 1 - len(opening)], end], len(opening)


def digits(vocabulary: Sequence[str]) -> NDArray[np.bool_]:
    """Return for each piece of a vocabulary whether it is a number, or a part of one."""
    return np.array([piece.removeprefix("##").isdecimal() for piece in vocabulary])


def marks(ids: Sequence[int], opening: int, digits: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return for each piece whether the other text has it, shape (pieces,).

    0: no. 1: yes. 2: yes, and after the same piece as here. 3 more where the piece is a number.
    """
    parts = (ids[:opening], ids[opening:])
    single = [set(part) for part in parts]
    double = [set(pairwise(part)) for part in parts]
    found: list[int] = []
    for own, part in enumerate(parts):
        before = None
        for piece in part:
            has = piece in single[1 - own]
            found.append(int(has) + int(has and (before, piece) in double[1 - own]))
            before = piece
    return np.array(found, np.intp) + 3 * digits[np.array(ids)]


def distance_classes(length: int) -> NDArray[np.intp]:
    """Return the class of the distance from each place to each other, shape (length, length).

    Near distances are told apart one by one, farther ones by their logarithm, those before a place from those after
    it (Raffel et al., arXiv:1910.10683, section 2.1).
    """
    behind = np.arange(length)[:, None] - np.arange(length)[None, :]
    away, side = np.abs(behind), _DISTANCES // 2
    near = side // 2
    far = near + (np.log(np.maximum(away, 1) / near) / np.log(_FAR / near) * (side - near)).astype(np.intp)
    return np.where(away < near, away, np.minimum(far, side - 1)) + side * (behind < 0)


def _attended(projected: Vectors, distances: Vectors) -> Vectors:
    """Return what the pieces of one pair take from one another, shape (rows, width).

    In 64-bit floats: the order in which a library adds up products then changes nothing that 32 bits can hold.

    Args:
        projected: their queries, keys and values beside one another, shape (pieces, 3 x width).
        distances: what is added to the attention of each piece to each other, shape (heads, rows, pieces).
    """
    length, rows = len(projected), distances.shape[1]
    query, key, value = projected.astype(np.float64).reshape(length, 3, _HEADS, -1).transpose(1, 2, 0, 3)
    weights = query[:, :rows] @ key.transpose(0, 2, 1)
    weights *= query.shape[-1] ** -0.5
    weights += distances
    weights -= weights.max(axis=-1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=-1, keepdims=True)
    return (weights @ value).transpose(1, 0, 2).reshape(rows, -1).astype(np.float32)


def _normed(hidden: Vectors, norm: Vectors) -> Vectors:
    centred = hidden - hidden.mean(axis=-1, keepdims=True)
    centred /= np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(1e-5))
    centred *= norm[0]
    centred += norm[1]
    return centred


def _gelu(x: Vectors) -> Vectors:
    """Return the Gaussian error linear unit, by its tanh form (Hendrycks and Gimpel, arXiv:1606.08415).

    Its factor is looked up at the nearest of `_GELU_STEPS` steps: faster than the function, and the same on every
    processor, which the `tanh` of a library is not.
    """
    result = np.empty_like(x)
    for at in range(0, len(x), _GELU_ROWS):
        rows, factors = x[at : at + _GELU_ROWS], result[at : at + _GELU_ROWS]
        steps = rows * np.float32(_GELU_STEPS)
        steps += np.float32(_GELU_LIMIT * _GELU_STEPS + 0.5)
        _gelu_factors().take(steps.astype(np.intp), mode="clip", out=factors)
        factors *= rows
    return result


@cache
def _gelu_factors() -> Vectors:
    """Return the factor of each step from -`_GELU_LIMIT` to `_GELU_LIMIT`."""
    x = np.arange(-_GELU_LIMIT * _GELU_STEPS, _GELU_LIMIT * _GELU_STEPS + 1) / _GELU_STEPS
    return ((1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2).astype(np.float32)


_outputs: RecentOutputs[tuple[Task, TextPair], tuple[float, ...]] = RecentOutputs(_REMEMBERED)


def read_pairs(task: Task, pairs: Sequence[TextPair]) -> list[tuple[float, ...]]:
    """Return the outputs of a task for each pair of texts, in log odds.

    Args:
        task: "support" (contradicted, not mentioned, supported: three outputs) or one of the tasks with one output.
        pairs: what is read. Many together take less time than one after another.
    """
    found = _outputs.of([(task, pair) for pair in pairs])
    new = list(dict.fromkeys(pair for pair in pairs if (task, pair) not in found))
    size = max(1, _ROWS // LENGTH)
    for at in range(0, len(new), size):
        part = new[at : at + size]
        outputs = encoder().read(task, part)
        read: dict[tuple[Task, TextPair], tuple[float, ...]] = {
            (task, pair): tuple(row.tolist()) for pair, row in zip(part, outputs, strict=True)
        }
        _outputs.keep(read)
        found |= read
    return [found[task, pair] for pair in pairs]


@cache
def encoder() -> Encoder:
    """Return the encoder, loaded once per process.

    Raises:
        ValueError: the weights in the package are not those that were measured.
    """
    arrays = _arrays()
    vocabulary = bytes(arrays["vocabulary"]).decode("utf-8").split("\n")
    return Encoder(
        pieces=WordPieces(vocabulary),
        table=arrays["table"],
        scales=arrays["table.scales"],
        places=arrays["places"],
        distances=arrays["distances"][distance_classes(LENGTH)].transpose(2, 0, 1),
        marks=arrays["marks"],
        digits=digits(vocabulary),
        norm=arrays["norm"],
        layers=tuple(_layer(arrays, f"layer.{i}.") for i in range(int(arrays["layers"]))),
        heads={
            key.split(".")[1]: (value, arrays[key.replace("slopes", "intercepts")])
            for key, value in arrays.items()
            if key.endswith(".slopes")
        },
    )


def _layer(arrays: dict[str, NDArray[Any]], name: str) -> EncoderLayer:
    lines = {
        key: linear(arrays[name + key], arrays[f"{name}{key}.scales"], arrays[f"{name}{key}_bias"])
        for key in ("qkv", "output", "inner", "outer")
    }
    return EncoderLayer(**lines, norm=arrays[f"{name}norm"], outer_norm=arrays[f"{name}outer_norm"])


def _arrays() -> dict[str, NDArray[Any]]:
    folder = files("ragstone.judges.local")
    expected = folder.joinpath(HASH_FILE).read_text("ascii").strip()
    with as_file(folder.joinpath(FILE)) as path:
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if found != expected:
            raise ValueError(
                f"the weights of the embedded judge are damaged: sha256 of {FILE} is {found}, expected {expected}; "
                "install ragstone again"
            )
        with np.load(path, allow_pickle=False) as archive:
            return dict(archive)
