"""An index of passages: built once, then searched for any number of statements.

All passages are one sequence of tokens, split into sentences (long ones into pieces, so that text without punctuation
stays searchable). Each distinct stem has one vector. Searches are linear in the length of the index.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.model.recent_outputs import RecentOutputs
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
    key = tuple(passages)
    index = _CACHE.of([key]).get(key)
    if index is None:
        index = _build_index(key)
        _CACHE.keep({key: index})
    return index


def _cache_size(passages: tuple[str, ...]) -> int:
    return sum(map(len, passages)) + 200


_CACHE: RecentOutputs[tuple[str, ...], EvidenceIndex] = RecentOutputs(100_000, _cache_size)


def _build_index(passages: Sequence[str]) -> EvidenceIndex:
    pieces = [
        (number, piece)
        for number, text in enumerate(passages)
        for sentence in tokens(text)
        for piece in split_sentence(sentence, MAX_EVIDENCE_SENTENCE)
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
    numbers = np.array([number for number, _ in pieces], np.int64)
    across = (numbers[size - 1 :] != numbers[: len(numbers) - size + 1] for size in WINDOW_SIZES)
    return EvidenceIndex(
        tokens=all_tokens,
        sentence_texts=_sentence_texts(pieces, passages),
        passage_of_sentence=numbers,
        windows_across_passages=tuple(map(np.flatnonzero, across)),
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
    texts: list[str] = []
    for i, (number, piece) in enumerate(pieces):
        start = piece[0].start if i and pieces[i - 1][0] == number else 0
        end = pieces[i + 1][1][0].start if i + 1 < len(pieces) and pieces[i + 1][0] == number else None
        texts.append(passages[number][start:end].strip())
    return tuple(texts)


def _find_names(word_tokens: Sequence[WordToken]) -> frozenset[str]:
    """Return the words that are capitalised inside a sentence, or at its start before another capitalised word."""
    inside = [token.is_capitalised and not token.starts_sentence for token in word_tokens]
    return frozenset(
        token.norm
        for token, is_inside, before_capital in zip(word_tokens, inside, [*inside[1:], False], strict=False)
        if is_inside or (token.is_capitalised and before_capital)
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


def split_sentence(sentence: list[WordToken], most: int) -> list[list[WordToken]]:
    """Return the pieces of a sentence, of at most so many tokens; usually only the sentence itself."""
    return [sentence[i : i + most] for i in range(0, len(sentence), most)]
