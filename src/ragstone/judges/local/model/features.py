"""The features of a statement and its evidence: how much of it is found, where, and what contradicts it.

Each feature has a sign, which is fixed here and constrains training: a higher value can only increase support (+1) or
decrease it (-1). No feature measures the length of a text or a position in it, since these are artefacts of a data set,
not evidence.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.matching.alignment import Alignment, align, split_long_sentence
from ragstone.judges.local.matching.conflicts import conflict_features
from ragstone.judges.local.matching.cooccurrence import cooccurrence_features
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, is_name, stem_ngrams
from ragstone.judges.local.matching.number_ranges import NumberRanges, contains_exact_number
from ragstone.judges.local.matching.subsequence import common_subsequence_length
from ragstone.judges.local.model.word_vectors import DIMENSIONS
from ragstone.text.lexicon import ABSOLUTES, HEDGES, OPINION_WORDS, PERSONAL_WORDS
from ragstone.text.sentences import sentences
from ragstone.text.tokens import tokens

SUPPORTING = (
    "exact_doc", "exact_1", "exact_2", "exact_3", "soft_doc", "soft_1", "soft_2", "soft_3",
    "found_doc", "found_here", "gram_2", "gram_3", "gram_4", "subsequence", "nearness", "covered", "cosine",
    "run_3", "run_3_worst", "run_5", "run_5_worst", "pair_near", "pair_ordered",
    "all_here", "verbatim",
)  # fmt: skip
OPPOSING = (
    "scattered", "loosest", "worst", "second_worst", "plain_missing", "number_missing", "number_missing_here",
    "name_missing", "name_missing_here",
    "number_conflict", "name_conflict", "word_conflict", "negated_only_here", "negated_only_there", "opposite",
    "hedge_dropped", "absolute_added", "hedge_added", "personal", "opinion", "question",
    "name_broken", "pair_apart", "lost",
)  # fmt: skip
FEATURE_NAMES = SUPPORTING + OPPOSING
FEATURE_SIGNS = np.array([1] * len(SUPPORTING) + [-1] * len(OPPOSING))


GAP_DIMENSIONS = 2 * DIMENSIONS
_EXACT_MATCH = 0.99
"""Minimum match of a word that counts as found verbatim."""


@dataclass(frozen=True, slots=True, eq=False)
class StatementFeatures:
    """The measurement of a statement.

    Attributes:
        values: its features, shape (features,).
        gaps: the vectors of its missing words, summed by `sum_gaps`, shape (512,).
        alignments: the alignment of each sentence.
    """

    values: NDArray[np.float64]
    gaps: NDArray[np.float64]
    alignments: tuple[Alignment, ...]


def measure_statement(statement: str, evidence: EvidenceIndex) -> StatementFeatures:
    """Measure each sentence of a statement; return the mean and the worst value of each feature."""
    spans = sentences(statement)
    token_rows = zip(spans, tokens(statement, spans), strict=True)
    aligned = (
        align(piece, evidence, question=statement[start:end].endswith("?"))
        for (start, end), sentence_tokens in token_rows
        for piece in split_long_sentence(sentence_tokens)
    )
    alignments = tuple(alignment for alignment in aligned if alignment is not None)
    if not alignments:
        return StatementFeatures(np.zeros(2 * len(FEATURE_NAMES)), np.zeros(GAP_DIMENSIONS), ())
    table = np.array([_feature_values(alignment, evidence) for alignment in alignments])
    weights = np.array([alignment.weights.sum() for alignment in alignments])
    mean = weights @ table / weights.sum()
    worst = FEATURE_SIGNS * (FEATURE_SIGNS * table).min(axis=0)
    return StatementFeatures(np.concatenate([mean, worst]), sum_gaps(alignments), alignments)


def _feature_values(alignment: Alignment, evidence: EvidenceIndex) -> list[float]:
    values = (
        _match_features(alignment, evidence)
        | _missing_features(alignment, evidence)
        | cooccurrence_features(alignment, evidence)
        | conflict_features(alignment, evidence)
        | _tone_features(alignment, evidence)
    )
    return [values[name] for name in FEATURE_NAMES]


def sum_gaps(alignments: Sequence[Alignment]) -> NDArray[np.float64]:
    """Return the summed vectors of the words not found, and their products with the nearest word, shape (512,).

    Some words may be missing without changing the meaning ("also", "film"), and some similar words do not replace each
    other ("Monday" and "Tuesday"). The vector of each missing word and its product with the vector of the nearest word
    are summed, weighted by the word's weight.
    """
    total = np.zeros(GAP_DIMENSIONS)
    for alignment in alignments:
        missing_weights = (alignment.match < _EXACT_MATCH) * np.minimum(alignment.weights / 12, 1.5)
        total[:DIMENSIONS] += missing_weights @ alignment.vectors
        total[DIMENSIONS:] += missing_weights @ (alignment.vectors * alignment.nearest_vectors) * 16
    return total


def _match_features(alignment: Alignment, evidence: EvidenceIndex) -> dict[str, float]:
    stems = [token.stem for token in alignment.tokens]
    window = evidence.stems[alignment.best_window]
    values = {f"exact_{size}": score for size, score in alignment.exact_share.items()}
    values |= {f"soft_{size}": score for size, score in alignment.soft_share.items()}
    for n, evidence_ngrams in zip((2, 3, 4), evidence.ngrams, strict=True):
        ngrams = stem_ngrams(stems, n) or [tuple(stems)]
        values[f"gram_{n}"] = sum(ngram in evidence_ngrams for ngram in ngrams) / len(ngrams)
    values["subsequence"] = common_subsequence_length(stems, window) / len(stems)
    values["all_here"], values["verbatim"] = _verbatim_shares(stems, window)
    nearness = alignment.position_nearness()
    values["nearness"] = float(nearness.sum() / len(nearness))
    values["loosest"] = 1 - float(nearness.min())
    values["found_doc"] = sum(t.stem in evidence.id_by_stem for t in alignment.content_words) / len(
        alignment.content_words
    )
    values["found_here"] = np.count_nonzero(alignment.match > _EXACT_MATCH) / len(alignment.match)
    values["covered"] = alignment.evidence_share
    values["cosine"] = alignment.cosine
    return values


def _verbatim_shares(stems: Sequence[str], window: Sequence[str]) -> tuple[float, float]:
    """Return the shares of all words, including function words, and of all adjacent pairs that the window contains."""
    window_stems = set(window)
    word_share = sum(stem in window_stems for stem in stems) / len(stems)
    pairs, window_pairs = list(pairwise(stems)), set(pairwise(window))
    return word_share, sum(pair in window_pairs for pair in pairs) / len(pairs) if pairs else word_share


def _missing_features(alignment: Alignment, evidence: EvidenceIndex) -> dict[str, float]:
    missing_weights = np.sort(alignment.weights * (1 - alignment.match))[::-1] / 12
    window = evidence.tokens[alignment.best_window]
    window_stems = set(evidence.stems[alignment.best_window])
    statement_ranges, evidence_ranges = NumberRanges(alignment.tokens), NumberRanges(window)
    numbers = [
        t
        for i, t in enumerate(alignment.tokens)
        if t.is_number and not contains_exact_number(statement_ranges, i, evidence_ranges)
    ]
    name_flags = [is_name(t, evidence) for t in alignment.content_words]
    names = [
        t for t, flag in zip(alignment.content_words, name_flags, strict=True) if flag and not t.is_number
    ]
    plain_indices = [i for i, t in enumerate(alignment.content_words) if not (name_flags[i] or t.is_number)]
    plain_weights = alignment.weights[plain_indices]
    return {
        "scattered": alignment.soft_share["doc"] - alignment.soft_share["1"],
        "lost": 1 - float(np.exp(-missing_weights.sum() / 2)),
        "worst": float(missing_weights[0]),
        "second_worst": float(missing_weights[1]) if len(missing_weights) > 1 else 0.0,
        "plain_missing": float(plain_weights @ (1 - alignment.match[plain_indices]) / plain_weights.sum())
        if plain_indices
        else 0.0,
        "number_missing": _saturating_count(t.stem not in evidence.id_by_stem for t in numbers),
        "number_missing_here": _saturating_count(t.stem not in window_stems for t in numbers),
        "name_missing": _saturating_count(t.stem not in evidence.id_by_stem for t in names),
        "name_missing_here": _saturating_count(t.stem not in window_stems for t in names),
    }


def _saturating_count(flags: Iterable[bool]) -> float:
    """Return 1 - 0.4**n for n true flags: 0, 0.6, 0.84, …."""
    return 1 - 0.4 ** sum(flags)


def _tone_features(alignment: Alignment, evidence: EvidenceIndex) -> dict[str, float]:
    statement_words = {t.norm for t in alignment.tokens}
    sentence_words = {t.norm for t in evidence.tokens[alignment.best_sentence]}
    window_words = {t.norm for t in evidence.tokens[alignment.best_window]}
    token_count = len(alignment.tokens)
    return {
        "hedge_dropped": float(bool(sentence_words & HEDGES) and not statement_words & HEDGES)
        * alignment.exact_share["1"],
        "hedge_added": float(bool(statement_words & HEDGES - window_words)),
        "absolute_added": _saturating_count(True for _ in statement_words & ABSOLUTES - window_words),
        "personal": sum(t.norm in PERSONAL_WORDS and t.norm not in window_words for t in alignment.tokens)
        / token_count,
        "opinion": sum(t.norm in OPINION_WORDS and t.norm not in window_words for t in alignment.tokens)
        / token_count,
        "question": float(alignment.is_question),
    }


_CONFLICTS = (
    "number_conflict",
    "name_conflict",
    "word_conflict",
    "negated_only_here",
    "negated_only_there",
    "opposite",
)
CONTRADICTION_NAMES = (*_CONFLICTS, *(f"{name}_in_place" for name in _CONFLICTS), "soft_1", "soft_3")


def contradiction_features(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the features that separate contradicted from not mentioned: conflicts, alone and times the share found."""
    worst = values[len(FEATURE_NAMES) :]
    conflicts = np.array([worst[FEATURE_NAMES.index(name)] for name in _CONFLICTS])
    soft_shares = [values[FEATURE_NAMES.index("soft_1")], values[FEATURE_NAMES.index("soft_3")]]
    return np.concatenate([conflicts, conflicts * soft_shares[0], np.array(soft_shares)])
