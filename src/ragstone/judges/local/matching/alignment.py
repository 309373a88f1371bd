"""Alignment: where the words of a sentence are found in the evidence.

Every content word of the sentence is compared with every distinct word of the evidence: 1 for the same stem, else a
score from the cosine of their vectors. Windows of one, two and three evidence sentences are scored by the weight of the
words they cover. Within the best window each word is assigned a position, preferably near that of the previous word.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.matching.evidence_index import (
    MAX_EVIDENCE_SENTENCE,
    WINDOW_SIZES,
    EvidenceIndex,
    find_name_spans,
    token_weights,
)
from ragstone.judges.local.model.word_vectors import Vectors, vectors
from ragstone.text.lexicon import FUNCTION_WORDS
from ragstone.text.tokens import WordToken

MAX_SENTENCE_TOKENS = 200
"""Maximum number of tokens that are aligned together; a longer sentence is split into pieces."""
MAX_WORDS = 4_000
"""Maximum number of tokens of a question, answer or reference compared as a whole; longer ones are not judged."""
TOO_LONG_REASON = f"not judged: longer than {MAX_WORDS:,} words"
_MIN_COSINE = 0.3
"""Cosine of two word vectors up to which their match score is 0."""
MAX_EVIDENCE_TOKENS = 70
"""Maximum number of evidence tokens that the encoder reads with a statement (unless one sentence has more)."""
_NEIGHBOUR_WEIGHT = 0.4
"""Share of an adjacent sentence's score that a sentence gains: the other may explain its pronouns or table rows."""
_SCORE_DECIMALS = 5
"""Number of decimals of the scores of sentences: 32-bit floats are not the same to more on every processor."""
_DECAY_LENGTH = 4.0
"""Number of tokens between two words at which their nearness has fallen to about a third (1/e)."""
_MIN_SHARE_OF_BEST = 0.75
"""Minimum score of the closest sentences, as a share of the best sentence's score."""
_MAX_CLOSEST_SENTENCES = 4
_MAX_WINDOW_TOKENS = WINDOW_SIZES[-1] * MAX_EVIDENCE_SENTENCE
_DISTANCE_BONUS = 0.02 * np.exp(
    -np.abs(np.arange(-_MAX_WINDOW_TOKENS, _MAX_WINDOW_TOKENS + 1)) / _DECAY_LENGTH
)
"""Bonus of a position, by its distance in tokens from the position of the previous word, before or after it."""


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """One sentence of a statement aligned with the evidence.

    Attributes:
        tokens: all tokens of the sentence.
        stems: their stems.
        name_spans: the span in `tokens` of each name of several words.
        content_words: the content tokens.
        weights: the weight of each content token, shape (content,).
        exact_share: weight share of the words with an exact match, by window size ("1", "2", "3") and anywhere ("doc").
        soft_share: likewise, with words of similar meaning counted in part.
        best_window: span of the best window of up to three sentences in the evidence tokens.
        closest_sentences: spans of the sentences with the best score or nearly as much, anywhere in the evidence.
        match_by_sentence: match score of each content word in each evidence sentence, shape (content, sentences).
        match: match score of each content token in the best window, shape (content,).
        positions: index of the evidence token that each is aligned with, shape (content,).
        cosine: of the weighted mean vectors of the statement and the best sentence.
    """

    tokens: tuple[WordToken, ...]
    stems: frozenset[str]
    name_spans: tuple[slice, ...]
    content_words: tuple[WordToken, ...]
    weights: Vectors
    exact_share: dict[str, float]
    soft_share: dict[str, float]
    best_window: slice
    closest_sentences: tuple[slice, ...]
    match_by_sentence: Vectors
    match: Vectors
    positions: NDArray[np.int64]
    cosine: float


def align(tokens: list[WordToken], evidence: EvidenceIndex) -> Alignment | None:
    """Align one sentence with the evidence; None if the sentence has no token or there is no evidence."""
    if not tokens or not evidence.tokens:
        return None
    content_words = tuple(token for token in tokens if is_content_word(token)) or tuple(tokens)
    weights = token_weights(content_words)
    statement_vectors = vectors([token.norm for token in content_words])
    cosines = statement_vectors @ evidence.vectors.T
    soft_scores = np.minimum(np.maximum((cosines - _MIN_COSINE) / (1 - _MIN_COSINE), 0), 1)
    exact_scores = np.zeros_like(soft_scores)
    for i, token in enumerate(content_words):
        if (stem_id := evidence.id_by_stem.get(token.stem)) is not None:
            exact_scores[i, stem_id] = soft_scores[i, stem_id] = 1
        elif token.is_number:
            soft_scores[i] = 0  # a different number is no partial match
    weight_shares = weights / weights.sum()
    exact_share, _ = _window_coverage(_max_by_sentence(exact_scores, evidence), weight_shares, evidence)
    match_by_sentence = _max_by_sentence(soft_scores, evidence)
    soft_share, (first, size) = _window_coverage(match_by_sentence, weight_shares, evidence)
    sentence_scores = weight_shares @ match_by_sentence
    best_sentence = evidence.window_span(int(sentence_scores.argmax()), 1)
    best_window = evidence.window_span(first, size)
    match, positions = _assign_positions(soft_scores, evidence, best_window)
    cosine = _mean_cosine(statement_vectors, weight_shares, best_sentence, evidence)
    stems = frozenset(token.stem for token in tokens)
    name_spans = tuple(find_name_spans(tokens, evidence.names))
    closest = _closest_sentences(sentence_scores, evidence)
    return Alignment(
        tuple(tokens), stems, name_spans, content_words, weights, exact_share, soft_share, best_window, closest,
        match_by_sentence, match, positions, cosine,
    )  # fmt: skip


def is_content_word(token: WordToken) -> bool:
    """Whether a token carries content: a number, or a word that is not a function word."""
    return token.is_number or (token.norm not in FUNCTION_WORDS and token.norm[0].isalpha())


def _max_by_sentence(scores: Vectors, evidence: EvidenceIndex) -> Vectors:
    return np.maximum.reduceat(scores[:, evidence.stem_ids], evidence.sentence_starts[:-1], axis=1)


def _closest_sentences(sentence_scores: Vectors, evidence: EvidenceIndex) -> tuple[slice, ...]:
    ranked = np.argsort(-sentence_scores, kind="stable")[:_MAX_CLOSEST_SENTENCES]
    return tuple(
        evidence.window_span(int(i), 1)
        for i in ranked
        if sentence_scores[i] >= _MIN_SHARE_OF_BEST * sentence_scores[ranked[0]]
    )


def _window_coverage(
    match_by_sentence: Vectors, weight_shares: Vectors, evidence: EvidenceIndex
) -> tuple[dict[str, float], tuple[int, int]]:
    """Return the weight share covered, by window size, and the best window as (first sentence, size).

    A wider window is preferred only if its share is higher by more than 0.05 for each further sentence.
    """
    share_by_size = {"doc": float(weight_shares @ match_by_sentence.max(axis=1))}
    best_share, best_window, best_score = 0.0, (0, 1), 0.0
    match_by_window = match_by_sentence
    for size, crossing in zip(WINDOW_SIZES, evidence.windows_across_passages, strict=True):
        if size > 1:
            match_by_window = np.maximum(match_by_window[:, :-1], match_by_sentence[:, size - 1 :])
        window_shares = weight_shares @ match_by_window
        if len(window_shares) > len(crossing):
            window_shares[crossing] = -1
            first = int(window_shares.argmax())
            best_share = max(best_share, float(window_shares[first]))
            if window_shares[first] - 0.05 * (size - 1) > best_score:
                best_window, best_score = (first, size), float(window_shares[first]) - 0.05 * (size - 1)
        share_by_size[str(size)] = best_share
    return share_by_size, best_window


def _assign_positions(
    match_scores: Vectors, evidence: EvidenceIndex, window: slice
) -> tuple[Vectors, NDArray[np.int64]]:
    """Return each content word's match score in the window and its position, preferably near the previous word's."""
    window_scores = match_scores[:, evidence.stem_ids[window]]
    size = window_scores.shape[1]
    positions: list[int] = []
    for scores in window_scores:
        start = _MAX_WINDOW_TOKENS - positions[-1] if positions else 0
        near = scores + _DISTANCE_BONUS[start : start + size] if positions else scores
        positions.append(int(near.argmax()))
    return window_scores.max(axis=1), np.array(positions, np.int64) + window.start


def _mean_cosine(
    statement_vectors: Vectors, weight_shares: Vectors, sentence: slice, evidence: EvidenceIndex
) -> float:
    positions = [i for i in range(sentence.start, sentence.stop) if is_content_word(evidence.tokens[i])]
    if not positions:
        return 0.0
    evidence_weights = token_weights([evidence.tokens[i] for i in positions])
    statement_mean = weight_shares @ statement_vectors
    evidence_mean = evidence_weights @ evidence.vectors[evidence.stem_ids[positions]]
    norm = float(np.sqrt(statement_mean @ statement_mean) * np.sqrt(evidence_mean @ evidence_mean))
    return float(statement_mean @ evidence_mean) / norm if norm else 0.0


def reading_window(alignment: Alignment, evidence: EvidenceIndex) -> str:
    """Return the evidence that an encoder reads: all of it, or the sentences closest to a statement, in order.

    Scores are rounded to what every processor finds, so that the same sentences are chosen everywhere.
    """
    if len(evidence.tokens) <= MAX_EVIDENCE_TOKENS:
        return " ".join(evidence.sentence_texts)
    sentence_scores = (alignment.weights / alignment.weights.sum()) @ alignment.match_by_sentence
    scores = sentence_scores.astype(np.float64)
    scores[1:] += _NEIGHBOUR_WEIGHT * sentence_scores[:-1]
    scores[:-1] += _NEIGHBOUR_WEIGHT * sentence_scores[1:]
    sizes = np.diff(evidence.sentence_starts)
    kept: set[int] = set()
    tokens_left = MAX_EVIDENCE_TOKENS
    for i in np.argsort(-scores.round(_SCORE_DECIMALS), kind="stable").tolist():
        if sizes[i] <= tokens_left or not kept:
            kept.add(i)
            tokens_left -= int(sizes[i])
    return " ".join(evidence.sentence_texts[i] for i in sorted(kept))
