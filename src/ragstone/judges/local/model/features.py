"""The features of a statement and its evidence: how much is found, where, and what contradicts it.

Each feature has a sign, fixed here and kept by training: more of it may only speak for support (+1) or
against it (-1). No feature tells how long a text is or where something stands, since those are habits of a
data set, not evidence.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ragstone.judges.local.matching.alignment import Alignment, align, sentence_pieces
from ragstone.judges.local.matching.conflicts import conflict_features
from ragstone.judges.local.matching.cooccurrence import cooccurrence_features
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, is_name, stem_ngrams
from ragstone.judges.local.matching.number_ranges import NumberRanges, contains_exact_number
from ragstone.judges.local.matching.subsequence import common_subsequence_length
from ragstone.judges.local.model.word_vectors import DIMENSIONS
from ragstone.judges.local.text.lexicon import ABSOLUTES, HEDGES, OPINIONS, PERSONAL
from ragstone.judges.local.text.tokens import tokens
from ragstone.sentences import sentences

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
NAMES = SUPPORTING + OPPOSING
SIGNS = np.array([1] * len(SUPPORTING) + [-1] * len(OPPOSING))


GAPS = 2 * DIMENSIONS
_SAID = 0.99
"""Match from which a word counts as found word for word."""


@dataclass(frozen=True, slots=True, eq=False)
class StatementFeatures:
    """The measurement of a statement: its features, shape (features,), and the alignment of each sentence."""

    values: NDArray[np.float64]
    gaps: NDArray[np.float64]
    alignments: tuple[Alignment, ...]


def measure_statement(statement: str, evidence: EvidenceIndex) -> StatementFeatures:
    """Measure each sentence of one statement; return the mean and the worst of each feature."""
    spans = sentences(statement)
    rows = zip(spans, tokens(statement, spans), strict=True)
    aligned = (
        align(piece, evidence, question=statement[start:end].endswith("?"))
        for (start, end), row in rows
        for piece in sentence_pieces(row)
    )
    alignments = tuple(found for found in aligned if found is not None)
    if not alignments:
        return StatementFeatures(np.zeros(2 * len(NAMES)), np.zeros(GAPS), ())
    table = np.array([_measure(found, evidence) for found in alignments])
    share = np.array([found.weights.sum() for found in alignments])
    mean = share @ table / share.sum()
    worst = SIGNS * (SIGNS * table).min(axis=0)
    return StatementFeatures(np.concatenate([mean, worst]), sum_gaps(alignments), alignments)


def _measure(found: Alignment, evidence: EvidenceIndex) -> list[float]:
    values = (
        _found(found, evidence)
        | _missing(found, evidence)
        | cooccurrence_features(found, evidence)
        | conflict_features(found, evidence)
        | _tone(found, evidence)
    )
    return [values[name] for name in NAMES]


def sum_gaps(alignments: Sequence[Alignment]) -> NDArray[np.float64]:
    """Return the summed vectors of the words not found, and their products with the nearest word, shape (512,).

    Some words may be missing without harm ("also", "film"), some near words are no replacement ("Monday" for
    "Tuesday"): the vector of each missing word and its product with the vector of the nearest word are summed,
    weighted by the word's weight.
    """
    total = np.zeros(GAPS)
    for found in alignments:
        lost = (found.match < _SAID) * np.minimum(found.weights / 12, 1.5)
        total[:DIMENSIONS] += lost @ found.vectors
        total[DIMENSIONS:] += lost @ (found.vectors * found.nearest_vectors) * 16
    return total


def _found(found: Alignment, evidence: EvidenceIndex) -> dict[str, float]:
    stems = [token.stem for token in found.tokens]
    window = evidence.stems[found.best_window]
    values = {f"exact_{size}": score for size, score in found.exact_share.items()}
    values |= {f"soft_{size}": score for size, score in found.soft_share.items()}
    for n, known in zip((2, 3, 4), evidence.ngrams, strict=True):
        runs = stem_ngrams(stems, n) or [tuple(stems)]
        values[f"gram_{n}"] = sum(run in known for run in runs) / len(runs)
    values["subsequence"] = common_subsequence_length(stems, window) / len(stems)
    values["all_here"], values["verbatim"] = _word_for_word(stems, window)
    near = found.position_nearness()
    values["nearness"] = float(near.sum() / len(near))
    values["loosest"] = 1 - float(near.min())
    values["found_doc"] = sum(t.stem in evidence.id_by_stem for t in found.content_words) / len(
        found.content_words
    )
    values["found_here"] = np.count_nonzero(found.match > _SAID) / len(found.match)
    values["covered"] = found.evidence_share
    values["cosine"] = found.cosine
    return values


def _word_for_word(stems: Sequence[str], window: Sequence[str]) -> tuple[float, float]:
    """Return the share of all words, function words included, and of all adjacent pairs that the window has."""
    here = set(window)
    single = sum(stem in here for stem in stems) / len(stems)
    pairs, together_there = list(pairwise(stems)), set(pairwise(window))
    return single, sum(pair in together_there for pair in pairs) / len(pairs) if pairs else single


def _missing(found: Alignment, evidence: EvidenceIndex) -> dict[str, float]:
    gaps = np.sort(found.weights * (1 - found.match))[::-1] / 12
    window = evidence.tokens[found.best_window]
    here = set(evidence.stems[found.best_window])
    mine, theirs = NumberRanges(found.tokens), NumberRanges(window)
    numbers = [
        t for i, t in enumerate(found.tokens) if t.is_number and not contains_exact_number(mine, i, theirs)
    ]
    named = [is_name(t, evidence) for t in found.content_words]
    names = [t for t, name in zip(found.content_words, named, strict=True) if name and not t.is_number]
    plain = [i for i, t in enumerate(found.content_words) if not (named[i] or t.is_number)]
    plain_weights = found.weights[plain]
    return {
        "scattered": found.soft_share["doc"] - found.soft_share["1"],
        "lost": 1 - float(np.exp(-gaps.sum() / 2)),
        "worst": float(gaps[0]),
        "second_worst": float(gaps[1]) if len(gaps) > 1 else 0.0,
        "plain_missing": float(plain_weights @ (1 - found.match[plain]) / plain_weights.sum())
        if plain
        else 0.0,
        "number_missing": _share(t.stem not in evidence.id_by_stem for t in numbers),
        "number_missing_here": _share(t.stem not in here for t in numbers),
        "name_missing": _share(t.stem not in evidence.id_by_stem for t in names),
        "name_missing_here": _share(t.stem not in here for t in names),
    }


def _share(flags: Iterable[bool]) -> float:
    """Return 1 - 0.4**n for n flags that are true: 0, 0.6, 0.84, …."""
    return 1 - 0.4 ** sum(flags)


def _tone(found: Alignment, evidence: EvidenceIndex) -> dict[str, float]:
    mine = {t.norm for t in found.tokens}
    theirs = {t.norm for t in evidence.tokens[found.best_sentence]}
    window = {t.norm for t in evidence.tokens[found.best_window]}
    size = len(found.tokens)
    return {
        "hedge_dropped": float(bool(theirs & HEDGES) and not mine & HEDGES) * found.exact_share["1"],
        "hedge_added": float(bool(mine & HEDGES - window)),
        "absolute_added": _share(True for _ in mine & ABSOLUTES - window),
        "personal": sum(t.norm in PERSONAL and t.norm not in window for t in found.tokens) / size,
        "opinion": sum(t.norm in OPINIONS and t.norm not in window for t in found.tokens) / size,
        "question": float(found.is_question),
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
    """Return the features that separate contradicted from not mentioned: conflicts, alone and if the rest is found."""
    worst = values[len(NAMES) :]
    conflict = np.array([worst[NAMES.index(name)] for name in _CONFLICTS])
    found = [values[NAMES.index("soft_1")], values[NAMES.index("soft_3")]]
    return np.concatenate([conflict, conflict * found[0], np.array(found)])
