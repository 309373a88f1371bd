"""An index of passages: built once, then searched for any number of statements.

All passages are one sequence of tokens, split into sentences (long ones into pieces, so that text without punctuation
stays searchable). Each distinct stem has one vector. Searches are linear in the length of the index.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.model.word_vectors import Vectors, vectors, word_weights
from ragstone.text.lexicon import FUNCTION_WORDS
from ragstone.text.tokens import WordToken, tokens

MAX_EVIDENCE_SENTENCE = 60
"""Maximum number of tokens of a sentence; a longer sentence is split."""
WINDOW_SIZES = (1, 2, 3)
"""Window sizes in sentences."""


@dataclass(frozen=True, slots=True, eq=False)
class EvidenceIndex:
    """The indexed passages.

    Attributes:
        tokens: the tokens of all passages, in order.
        sentence_texts: text of each sentence, from its first token to the first token of the next sentence.
        passage_of_sentence: passage number of each sentence (0-based), shape (sentences,).
        windows_across_passages: by window size, the sentences at which a window would extend into the next passage.
        sentence_starts: index of each sentence's first token, and one past the last token, shape (sentences + 1,).
        stems: stem of each token.
        stem_ids: index of each token's stem among the distinct stems, shape (tokens,).
        id_by_stem: distinct stem to its index.
        positions_by_stem: distinct stem to the positions of its tokens.
        vectors: one unit vector per distinct stem, shape (distinct, 256).
        names: normalised words that are written as names.
        name_spans: span in `tokens` of each name of several words.
        name_spans_by_stem: stem to the indices in `name_spans` of the names that have it.
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

    def window_span(self, first: int, size: int) -> slice:
        """Return the token span of `size` sentences from sentence `first` on."""
        return slice(int(self.sentence_starts[first]), int(self.sentence_starts[first + size]))


def index_evidence(passages: Sequence[str]) -> EvidenceIndex:
    """Return the index of passages, in their order; recent indexes are cached for the other metrics of a test case."""
    return _CACHE.get(tuple(passages))


class _RecentIndexes:
    """Cache of the most recently used indexes, limited by the characters of their passages. Thread-safe."""

    def __init__(self, max_characters: int) -> None:
        self._max_characters = max_characters
        self._lock = Lock()
        self._characters = 0
        self._indexes: OrderedDict[tuple[str, ...], EvidenceIndex] = OrderedDict()

    def get(self, passages: tuple[str, ...]) -> EvidenceIndex:
        """Return the index of these passages."""
        with self._lock:
            if (cached := self._indexes.get(passages)) is not None:
                self._indexes.move_to_end(passages)
                return cached
        index = _build_index(passages)
        with self._lock:
            if passages not in self._indexes:
                self._indexes[passages] = index
                self._characters += _cache_size(passages)
            while self._characters > self._max_characters:
                self._characters -= _cache_size(self._indexes.popitem(last=False)[0])
        return index


def _cache_size(passages: tuple[str, ...]) -> int:
    """Return the size of an index in the cache: the characters of its passages, plus 200 for its overhead."""
    return sum(map(len, passages)) + 200


_CACHE = _RecentIndexes(max_characters=100_000)


def _build_index(passages: Sequence[str]) -> EvidenceIndex:
    pieces: list[tuple[int, list[WordToken]]] = []
    for passage_number, text in enumerate(passages):
        pieces += [
            (passage_number, piece) for sentence in tokens(text) for piece in _split_long_sentence(sentence)
        ]
    all_tokens = tuple(chain.from_iterable(piece for _, piece in pieces))
    token_by_stem = {token.stem: token for token in reversed(all_tokens)}
    id_by_stem = {stem: i for i, stem in enumerate(token_by_stem)}
    stems = tuple(token.stem for token in all_tokens)
    positions_by_stem: dict[str, list[int]] = {}
    for i, stem in enumerate(stems):
        positions_by_stem.setdefault(stem, []).append(i)
    names = _find_names(all_tokens)
    name_spans = tuple(find_name_spans(all_tokens, names))
    name_spans_by_stem: dict[str, list[int]] = {}
    for i, span in enumerate(name_spans):
        for stem in set(stems[span]):
            name_spans_by_stem.setdefault(stem, []).append(i)
    passage_of_sentence = np.array([passage_number for passage_number, _ in pieces], np.int64)
    return EvidenceIndex(
        tokens=all_tokens,
        sentence_texts=_sentence_texts(pieces, passages),
        passage_of_sentence=passage_of_sentence,
        windows_across_passages=tuple(
            np.flatnonzero(
                passage_of_sentence[size - 1 :] != passage_of_sentence[: len(passage_of_sentence) - size + 1]
            )
            for size in WINDOW_SIZES
        ),
        sentence_starts=np.cumsum([0, *(len(piece) for _, piece in pieces)]),
        stems=stems,
        stem_ids=np.array([id_by_stem[stem] for stem in stems], np.int64),
        id_by_stem=id_by_stem,
        positions_by_stem=positions_by_stem,
        vectors=vectors([token.norm for token in token_by_stem.values()]),
        names=names,
        name_spans=name_spans,
        name_spans_by_stem=name_spans_by_stem,
    )


def _sentence_texts(
    pieces: Sequence[tuple[int, list[WordToken]]], passages: Sequence[str]
) -> tuple[str, ...]:
    """Return the text of each sentence; together they are the passages."""
    passage_numbers = [passage_number for passage_number, _ in pieces]
    starts = [
        0 if i == 0 or passage_numbers[i - 1] != passage_number else piece[0].start
        for i, (passage_number, piece) in enumerate(pieces)
    ]
    ends = [
        starts[i + 1] if passage_numbers[i + 1 : i + 2] == [passage_number] else len(passages[passage_number])
        for i, passage_number in enumerate(passage_numbers)
    ]
    return tuple(
        passages[number][start:end].strip()
        for number, start, end in zip(passage_numbers, starts, ends, strict=True)
    )


def _find_names(word_tokens: Sequence[WordToken]) -> frozenset[str]:
    """Return the words that are capitalised inside a sentence, or at its start before another capitalised word."""
    next_capitalised = [
        *(token.is_capitalised and not token.starts_sentence for token in word_tokens[1:]),
        False,
    ]
    return frozenset(
        token.norm
        for token, before_capital in zip(word_tokens, next_capitalised, strict=False)
        if token.is_capitalised and (before_capital or not token.starts_sentence)
    )


def is_name(token: WordToken, evidence: EvidenceIndex) -> bool:
    """Whether a token is written as a name: capitalised inside a sentence, here or in the evidence."""
    return token.is_capitalised and (not token.starts_sentence or token.norm in evidence.names)


def find_name_spans(word_tokens: Sequence[WordToken], names: frozenset[str]) -> list[slice]:
    """Return the longest spans of two or more tokens written as names, each within one sentence."""
    spans: list[slice] = []
    start = -1
    for i, token in enumerate((*word_tokens, None)):
        is_part = token is not None and not token.is_number and _is_name_part(token, names)
        if start >= 0 and (not is_part or (token is not None and token.starts_sentence)):
            spans += [slice(start, i)] if i - start > 1 else []
            start = -1
        if is_part and start < 0:
            start = i
    return spans


def _is_name_part(token: WordToken, names: frozenset[str]) -> bool:
    return (
        token.is_capitalised
        and token.norm not in FUNCTION_WORDS
        and (not token.starts_sentence or token.norm in names)
    )


def stem_ngrams(stems: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """Return all n-grams of stems, in order."""
    return list(zip(*(stems[i:] for i in range(n)), strict=False))


def token_weights(word_tokens: Sequence[WordToken]) -> Vectors:
    """Return the weight of each token, shape (tokens,)."""
    return word_weights([token.norm for token in word_tokens])


def _split_long_sentence(sentence: list[WordToken]) -> list[list[WordToken]]:
    return [sentence[i : i + MAX_EVIDENCE_SENTENCE] for i in range(0, len(sentence), MAX_EVIDENCE_SENTENCE)]
