"""An index of passages: analysed once, then searched by any number of statements.

All passages are one row of tokens, cut into sentences (long ones into pieces, so that text without punctuation stays
searchable); each distinct word has one vector. Searches are linear in its length.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.model.word_vectors import Vectors, vectors, word_weights
from ragstone.judges.local.text.lexicon import FUNCTION_WORDS
from ragstone.judges.local.text.tokens import WordToken, tokens

MOST_TOKENS = 60
"""Most tokens per sentence; a longer sentence is cut."""
WINDOW_SIZES = (1, 2, 3)
"""Window sizes in sentences."""


@dataclass(frozen=True, slots=True, eq=False)
class EvidenceIndex:
    """The analysed passages.

    Attributes:
        tokens: of all passages, in order.
        sentence_texts: of each sentence, the text from its first token to the first token of the next sentence.
        passage_of_sentence: of each sentence, its passage (0-based), shape (sentences,).
        windows_across_passages: by window size, the sentences at which a window would extend into the next passage.
        sentence_starts: index of each sentence's first token, and one past the last token, shape (sentences + 1,).
        stems: of each token, its stem.
        stem_ids: of each token, the index of its distinct stem, shape (tokens,).
        id_by_stem: distinct stem to its index.
        positions_by_stem: distinct stem to the positions of its tokens.
        vectors: one unit vector per distinct stem, shape (distinct, 256).
        names: norms that are written as names.
        name_spans: the tokens of each name of several words.
        name_spans_by_stem: stem to the numbers of the runs that have it.
        ngrams: stems of all runs of 2, 3 and 4 tokens.
    """

    tokens: tuple[WordToken, ...]
    sentence_texts: tuple[str, ...]
    passage_of_sentence: NDArray[np.int64]
    windows_across_passages: tuple[NDArray[np.int64], ...]
    sentence_starts: NDArray[np.int64]
    stems: tuple[str, ...]
    stem_ids: NDArray[np.int64]
    id_by_stem: dict[str, int]
    positions_by_stem: dict[str, list[int]]
    vectors: Vectors
    names: frozenset[str]
    name_spans: tuple[slice, ...]
    name_spans_by_stem: dict[str, list[int]]
    ngrams: tuple[frozenset[tuple[str, ...]], ...]

    def window(self, first: int, size: int) -> slice:
        """Return the tokens of `size` sentences from sentence `first` on."""
        return slice(int(self.sentence_starts[first]), int(self.sentence_starts[first + size]))


def index_evidence(passages: Sequence[str]) -> EvidenceIndex:
    """Return the index of passages, in their order; recent ones are cached for the other metrics of a test case."""
    return _REMEMBERED.get(tuple(passages))


class _RecentIndexes:
    """Cache of the most recently used indexes, bounded by the characters of their passages. Safe for threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._characters = 0
        self._found: OrderedDict[tuple[str, ...], EvidenceIndex] = OrderedDict()

    def get(self, passages: tuple[str, ...]) -> EvidenceIndex:
        """Return the index of these passages."""
        with self._lock:
            if (known := self._found.get(passages)) is not None:
                self._found.move_to_end(passages)
                return known
        index = _index(passages)
        with self._lock:
            if passages not in self._found:
                self._found[passages] = index
                self._characters += _size(passages)
            while self._characters > self._most:
                self._characters -= _size(self._found.popitem(last=False)[0])
        return index


def _size(passages: tuple[str, ...]) -> int:
    """Return the size of an index in the cache: the characters of its passages, and 200 more for its overhead."""
    return sum(map(len, passages)) + 200


_REMEMBERED = _RecentIndexes(most=100_000)


def _index(passages: Sequence[str]) -> EvidenceIndex:
    pieces: list[tuple[int, list[WordToken]]] = []
    for number, text in enumerate(passages):
        pieces += [(number, piece) for sentence in tokens(text) for piece in _cut(sentence)]
    row = tuple(chain.from_iterable(piece for _, piece in pieces))
    distinct = {token.stem: token for token in reversed(row)}
    index = {stem: i for i, stem in enumerate(distinct)}
    stems = tuple(token.stem for token in row)
    places: dict[str, list[int]] = {}
    for i, stem in enumerate(stems):
        places.setdefault(stem, []).append(i)
    names = _names(row)
    runs = tuple(find_name_spans(row, names))
    runs_by_stem: dict[str, list[int]] = {}
    for number, run in enumerate(runs):
        for stem in set(stems[run]):
            runs_by_stem.setdefault(stem, []).append(number)
    passage = np.array([number for number, _ in pieces], np.int64)
    return EvidenceIndex(
        tokens=row,
        sentence_texts=_texts(pieces, passages),
        passage_of_sentence=passage,
        windows_across_passages=tuple(
            np.flatnonzero(passage[size - 1 :] != passage[: len(passage) - size + 1]) for size in WINDOW_SIZES
        ),
        sentence_starts=np.cumsum([0, *(len(piece) for _, piece in pieces)]),
        stems=stems,
        stem_ids=np.array([index[stem] for stem in stems], np.int64),
        id_by_stem=index,
        positions_by_stem=places,
        vectors=vectors([token.norm for token in distinct.values()]),
        names=names,
        name_spans=runs,
        name_spans_by_stem=runs_by_stem,
        ngrams=tuple(frozenset(stem_ngrams(stems, n)) for n in (2, 3, 4)),
    )


def _texts(pieces: Sequence[tuple[int, list[WordToken]]], passages: Sequence[str]) -> tuple[str, ...]:
    """Return the text of each sentence; together they are the passages."""
    numbers = [number for number, _ in pieces]
    starts = [
        0 if i == 0 or numbers[i - 1] != number else piece[0].start
        for i, (number, piece) in enumerate(pieces)
    ]
    ends = [
        starts[i + 1] if numbers[i + 1 : i + 2] == [number] else len(passages[number])
        for i, number in enumerate(numbers)
    ]
    return tuple(passages[n][a:b].strip() for n, a, b in zip(numbers, starts, ends, strict=True))


def _names(row: Sequence[WordToken]) -> frozenset[str]:
    """Return the words that are capitalised inside a sentence, or at its start before another capitalised word."""
    following = [*(token.is_capitalised and not token.starts_sentence for token in row[1:]), False]
    return frozenset(
        token.norm
        for token, name in zip(row, following, strict=False)
        if token.is_capitalised and (name or not token.starts_sentence)
    )


def is_name(token: WordToken, evidence: EvidenceIndex) -> bool:
    """Whether a token is written as a name: capitalised where no sentence begins, here or in the evidence."""
    return token.is_capitalised and (not token.starts_sentence or token.norm in evidence.names)


def find_name_spans(row: Sequence[WordToken], names: frozenset[str]) -> list[slice]:
    """Return the longest runs of two or more tokens written as names, cut at sentences."""
    runs: list[slice] = []
    start = -1
    for i, token in enumerate((*row, None)):
        part = token is not None and not token.is_number and _is_part(token, names)
        if start >= 0 and (not part or (token is not None and token.starts_sentence)):
            runs += [slice(start, i)] if i - start > 1 else []
            start = -1
        if part and start < 0:
            start = i
    return runs


def _is_part(token: WordToken, names: frozenset[str]) -> bool:
    return (
        token.is_capitalised
        and token.norm not in FUNCTION_WORDS
        and (not token.starts_sentence or token.norm in names)
    )


def stem_ngrams(stems: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """Return all runs of n stems."""
    return list(zip(*(stems[i:] for i in range(n)), strict=False))


def token_weights(found: Sequence[WordToken]) -> Vectors:
    """Return the weight of each token, shape (tokens,)."""
    return word_weights([token.norm for token in found])


def _cut(sentence: list[WordToken]) -> list[list[WordToken]]:
    return [sentence[i : i + MOST_TOKENS] for i in range(0, len(sentence), MOST_TOKENS)]
