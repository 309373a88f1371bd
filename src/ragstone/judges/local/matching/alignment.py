"""Alignment: where the words of a sentence are found in the evidence.

Every content word of the sentence is compared with every distinct word of the evidence (the same stem counts
1, else the cosine of their vectors); windows of one, two and three evidence sentences are scored by the
weight of the words they cover, and within the best window each word is assigned a place, preferably near that of the
previous word.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.matching.evidence_index import (
    MOST_TOKENS,
    WINDOW_SIZES,
    EvidenceIndex,
    find_name_spans,
    token_weights,
)
from ragstone.judges.local.model.word_vectors import Vectors, vectors
from ragstone.judges.local.text.lexicon import FUNCTION_WORDS
from ragstone.judges.local.text.tokens import WordToken

MOST_SENTENCE_TOKENS = 200
"""Most tokens of a sentence that are aligned together; a longer sentence is cut into pieces."""
MOST_WORDS = 4_000
"""Most tokens of a question, an answer or a reference that is compared as a whole; longer ones are not judged."""
TOO_LONG = f"not judged: longer than {MOST_WORDS:,} words"
_SOFT_FROM = 0.3
"""Cosine below which two words have nothing in common."""
MOST_EVIDENCE_TOKENS = 70
"""Most tokens of evidence that the encoder reads beside a statement (unless one sentence has more)."""
_NEIGHBOUR = 0.4
"""Share of an adjacent sentence's score that a sentence gains: the other may explain its pronouns or table rows."""
_NEAR = 4.0
"""Number of tokens between two words at which their nearness has fallen to a third."""
_NEARLY = 0.75
"""Share of the best sentence's score from which another sentence says nearly as much."""
_MOST = 4
_LONGEST_WINDOW = WINDOW_SIZES[-1] * MOST_TOKENS
_LURE = 0.02 * np.exp(-np.abs(np.arange(-_LONGEST_WINDOW, _LONGEST_WINDOW + 1)) / _NEAR)
"""Bonus of a place, by the number of tokens before or after the place of the previous word."""


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """One sentence of a statement aligned with the evidence.

    Attributes:
        tokens: all its tokens.
        stems: their stems.
        name_spans: of its tokens, those of each name of several words.
        content_words: its content tokens.
        weights: the weight of each content token, shape (content,).
        exact_share: weight share found word by word, by window size ("1", "2", "3") and anywhere ("doc").
        soft_share: likewise, with near meanings counted in part.
        best_sentence: evidence tokens of the best single sentence.
        best_window: evidence tokens of the best window of up to three sentences.
        closest_sentences: evidence tokens of the sentences that say most of it or nearly as much, wherever they stand.
        match_by_sentence: how well each content word is matched in each sentence, shape (content, sentences).
        match: how well each content token is matched in the window, shape (content,).
        positions: evidence token each is aligned with, shape (content,).
        vectors: of the content tokens, shape (content, 256).
        nearest_vectors: of the evidence word nearest to each in the window, shape (content, 256).
        evidence_share: weight share of the best sentence that the statement says.
        cosine: of the mean vectors of the statement and the best sentence.
        is_question: whether it is a question.
    """

    tokens: tuple[WordToken, ...]
    stems: frozenset[str]
    name_spans: tuple[slice, ...]
    content_words: tuple[WordToken, ...]
    weights: Vectors
    exact_share: dict[str, float]
    soft_share: dict[str, float]
    best_sentence: slice
    best_window: slice
    closest_sentences: tuple[slice, ...]
    match_by_sentence: Vectors
    match: Vectors
    positions: NDArray[np.int64]
    vectors: Vectors
    nearest_vectors: Vectors
    evidence_share: float
    cosine: float
    is_question: bool

    def position_nearness(self) -> Vectors:
        """Return for each pair of adjacent content words how close their places are, 0 to 1."""
        if len(self.positions) == 1:
            return self.match
        gaps = np.abs(np.diff(self.positions))
        return np.exp(-np.maximum(gaps - 1, 0) / _NEAR) * np.minimum(self.match[1:], self.match[:-1])


def align(row: list[WordToken], evidence: EvidenceIndex, *, question: bool = False) -> Alignment | None:
    """Align one sentence with the evidence; None if the sentence has no token or there is no evidence."""
    if not row or not evidence.tokens:
        return None
    content = tuple(token for token in row if is_content_word(token)) or tuple(row)
    weight = token_weights(content)
    mine = vectors([token.norm for token in content])
    cosines = mine @ evidence.vectors.T
    soft = np.minimum(np.maximum((cosines - _SOFT_FROM) / (1 - _SOFT_FROM), 0), 1)
    exact = np.zeros_like(soft)
    for i, token in enumerate(content):
        if (at := evidence.id_by_stem.get(token.stem)) is not None:
            exact[i, at] = soft[i, at] = 1
        elif token.is_number:
            soft[i] = 0  # another number is not nearly this number
    share = weight / weight.sum()
    exact_by, _ = _scores(_by_sentence(exact, evidence), share, evidence)
    single = _by_sentence(soft, evidence)
    soft_by, (first, size) = _scores(single, share, evidence)
    told = share @ single
    sentence = evidence.window(int(told.argmax()), 1)
    window = evidence.window(first, size)
    best, place = _places(soft, evidence, window)
    covered, cosine = _likeness(content, mine, share, sentence, evidence)
    there = evidence.stem_ids[window]
    near = there[cosines[:, there].argmax(axis=1)]
    return Alignment(
        tokens=tuple(row),
        stems=frozenset(token.stem for token in row),
        name_spans=tuple(find_name_spans(row, evidence.names)),
        content_words=content,
        weights=weight,
        exact_share=exact_by,
        soft_share=soft_by,
        best_sentence=sentence,
        best_window=window,
        closest_sentences=_carriers(told, evidence),
        match_by_sentence=single,
        match=best,
        positions=place,
        vectors=mine,
        nearest_vectors=evidence.vectors[near],
        evidence_share=covered,
        cosine=cosine,
        is_question=question,
    )


def sentence_pieces(sentence: list[WordToken]) -> list[list[WordToken]]:
    """Return the pieces of a sentence that are aligned one by one; nearly always the sentence itself."""
    if len(sentence) <= MOST_SENTENCE_TOKENS:
        return [sentence]
    return [sentence[i : i + MOST_SENTENCE_TOKENS] for i in range(0, len(sentence), MOST_SENTENCE_TOKENS)]


def is_content_word(token: WordToken) -> bool:
    """Whether a token carries content: a number, or a word that is not a function word."""
    return token.is_number or (token.norm not in FUNCTION_WORDS and token.norm[0].isalpha())


def _by_sentence(scores: Vectors, evidence: EvidenceIndex) -> Vectors:
    """Return the best score of each content word in each sentence, shape (content, sentences)."""
    return np.maximum.reduceat(scores[:, evidence.stem_ids], evidence.sentence_starts[:-1], axis=1)


def _carriers(told: Vectors, evidence: EvidenceIndex) -> tuple[slice, ...]:
    """Return the sentences that say nearly as much as the best, the best of them first."""
    best = np.argsort(-told, kind="stable")[:_MOST]
    return tuple(evidence.window(int(i), 1) for i in best if told[i] >= _NEARLY * told[best[0]])


def _scores(
    single: Vectors, share: Vectors, evidence: EvidenceIndex
) -> tuple[dict[str, float], tuple[int, int]]:
    """Return the share covered by window size, and the best window as (first sentence, size).

    A wider window is preferred only if it covers a twentieth more for each further sentence.
    """
    covered = {"doc": float(share @ single.max(axis=1))}
    best, chosen, top = 0.0, (0, 1), 0.0
    wide = single
    for size, crossing in zip(WINDOW_SIZES, evidence.windows_across_passages, strict=True):
        if size > 1:
            wide = np.maximum(wide[:, :-1], single[:, size - 1 :])
        value = share @ wide
        if len(value) > len(crossing):
            value[crossing] = -1
            at = int(value.argmax())
            best = max(best, float(value[at]))
            if value[at] - 0.05 * (size - 1) > top:
                chosen, top = (at, size), float(value[at]) - 0.05 * (size - 1)
        covered[str(size)] = best
    return covered, chosen


def _places(scores: Vectors, evidence: EvidenceIndex, window: slice) -> tuple[Vectors, NDArray[np.int64]]:
    """Return for each content word its best match in the window and its place, preferably near the previous word."""
    inside = scores[:, evidence.stem_ids[window]]
    size = inside.shape[1]
    places: list[int] = []
    for row in inside:
        first = _LONGEST_WINDOW - places[-1] if places else 0
        places.append(int((row + _LURE[first : first + size] if places else row).argmax()))
    return inside.max(axis=1), np.array(places, np.int64) + window.start


def _likeness(
    content: tuple[WordToken, ...], mine: Vectors, share: Vectors, sentence: slice, evidence: EvidenceIndex
) -> tuple[float, float]:
    """Return how much of the best sentence the statement covers, and the cosine of their weighted means."""
    theirs = [i for i in range(sentence.start, sentence.stop) if is_content_word(evidence.tokens[i])]
    if not theirs:
        return 0.0, 0.0
    their_weights = token_weights([evidence.tokens[i] for i in theirs])
    said = {token.stem for token in content}
    covered = np.array([evidence.stems[i] in said for i in theirs]) @ their_weights / their_weights.sum()
    one, other = share @ mine, their_weights @ evidence.vectors[evidence.stem_ids[theirs]]
    norm = float(np.sqrt(one @ one) * np.sqrt(other @ other))
    return float(covered), float(one @ other) / norm if norm else 0.0


def reading_window(found: Alignment, evidence: EvidenceIndex) -> str:
    """Return the evidence that an encoder reads: all of it, or the sentences nearest to a statement, in order."""
    if len(evidence.tokens) <= MOST_EVIDENCE_TOKENS:
        return " ".join(evidence.sentence_texts)
    told = (found.weights / found.weights.sum()) @ found.match_by_sentence
    scores = told.astype(np.float64)
    scores[1:] += _NEIGHBOUR * told[:-1]
    scores[:-1] += _NEIGHBOUR * told[1:]
    sizes = np.diff(evidence.sentence_starts)
    kept: set[int] = set()
    left = MOST_EVIDENCE_TOKENS
    for i in np.argsort(-scores, kind="stable").tolist():
        if sizes[i] <= left or not kept:
            kept.add(i)
            left -= int(sizes[i])
    return " ".join(evidence.sentence_texts[i] for i in sorted(kept))
