"""A small encoder that reads two texts together: six layers of MPNet in numpy (Song et al., arXiv:2004.09297).

The layers were trained further on pairs of texts; see `docs/explanation/embedded-judge.md`. Each piece also carries
whether the other text has it, too (`marks`; an exact match as in Chen et al., arXiv:1704.00051, section 3.2): a small
network is slow to learn to compare two texts piece by piece. Weights are kept as 4-bit integers (`four_bits`), and
multiplied as integers (`linear`). Every pair is computed alone, by the same operations whatever was asked before it: a
verdict never depends on its batch.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import as_file, files
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.model.four_bits import unpacked
from ragstone.judges.local.model.linear import Linear, linear
from ragstone.judges.local.text.word_pieces import WordPieces

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
"""Pairs whose result is kept: several metrics ask about the same claims."""

Vectors = NDArray[np.float32]
Task = Literal["support", "relevance", "usefulness", "correctness"]


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

    def __call__(self, hidden: Vectors, distances: Vectors, rows: int | None = None) -> Vectors:
        """Return the next hidden states, shape (pieces, width), or those of the first `rows` pieces alone.

        Args:
            hidden: of the layer below, shape (pieces, width).
            distances: what the distance of two pieces adds to their attention, shape (heads, pieces, pieces).
            rows: how many pieces are wanted; all by default.
        """
        length, width = hidden.shape
        query, key, value = self.qkv(hidden).reshape(length, 3, _HEADS, -1).transpose(1, 2, 0, 3)
        hidden, query = hidden[:rows], query[:, :rows]
        weights = query @ key.transpose(0, 2, 1)
        weights *= np.float32((width / _HEADS) ** -0.5)
        weights += distances[:, :rows]
        weights -= weights.max(axis=-1, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=-1, keepdims=True)
        mixed = (weights @ value).transpose(1, 0, 2).reshape(len(hidden), width)
        hidden = _normed(hidden + self.output(mixed), self.norm)
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

    def read(self, task: Task, question: str, first: str, second: str) -> Vectors:
        """Return the outputs of a task for one pair of texts."""
        pair, opening = joined(self.pieces, question, first, second)
        ids, marked = np.array(pair), marks(pair, opening, self.digits)
        texts = (np.arange(len(ids)) >= opening).astype(np.intp)
        hidden = unpacked(self.table[ids], self.scales[ids]) + self.places[texts, np.arange(len(ids))]
        hidden = _normed(hidden + self.marks[marked], self.norm)
        distances = self.distances[:, : len(ids), : len(ids)]
        for layer in self.layers[:-1]:
            hidden = layer(hidden, distances)
        slopes, intercepts = self.heads[task]
        return self.layers[-1](hidden, distances, rows=1)[0] @ slopes + intercepts


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


def _normed(hidden: Vectors, norm: Vectors) -> Vectors:
    centred = hidden - hidden.mean(axis=-1, keepdims=True)
    centred /= np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(1e-5))
    centred *= norm[0]
    centred += norm[1]
    return centred


def _gelu(x: Vectors) -> Vectors:
    """Return the Gaussian error linear unit, by its tanh form (Hendrycks and Gimpel, arXiv:1606.08415)."""
    inner = np.float32(0.044715) * x
    inner *= x
    inner *= x
    inner += x
    inner *= np.float32(math.sqrt(2 / math.pi))
    np.tanh(inner, out=inner)
    inner += 1
    inner *= x
    inner *= np.float32(0.5)
    return inner


@lru_cache(maxsize=_REMEMBERED)
def read_pair(task: Task, question: str, first: str, second: str) -> tuple[float, ...]:
    """Return the outputs of a task for a pair of texts, in log odds.

    Args:
        task: "support" (contradicted, not mentioned, supported: three outputs) or one of the tasks with one output.
        question: what the first text answers, or an empty text.
        first: the text that is judged.
        second: what it is judged by.
    """
    return tuple(encoder().read(task, question, first, second).tolist())


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
