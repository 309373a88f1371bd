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

from ragstone.judges.local.matching.alignment import Alignment, align, rows_of
from ragstone.judges.local.matching.conflicts import conflicts
from ragstone.judges.local.matching.cooccurrence import cooccurrence
from ragstone.judges.local.matching.evidence_index import EvidenceIndex, grams, is_name
from ragstone.judges.local.matching.number_ranges import NumberRanges, met
from ragstone.judges.local.model.word_vectors import DIMENSIONS
from ragstone.judges.local.text.lexicon import ABSOLUTES, HEDGES, OPINIONS, PERSONAL
from ragstone.judges.local.text.tokens import tokens
from ragstone.sentences import sentences

FOR = (
    "exact_doc", "exact_1", "exact_2", "exact_3", "soft_doc", "soft_1", "soft_2", "soft_3",
    "found_doc", "found_here", "gram_2", "gram_3", "gram_4", "subsequence", "nearness", "covered", "cosine",
    "run_3", "run_3_worst", "run_5", "run_5_worst", "pair_near", "pair_ordered",
    "all_here", "verbatim",
)  # fmt: skip
AGAINST = (
    "scattered", "loosest", "worst", "second_worst", "plain_missing", "number_missing", "number_missing_here",
    "name_missing", "name_missing_here",
    "number_conflict", "name_conflict", "word_conflict", "negated_only_here", "negated_only_there", "opposite",
    "hedge_dropped", "absolute_added", "hedge_added", "personal", "opinion", "question",
    "name_broken", "pair_apart", "lost",
)  # fmt: skip
NAMES = FOR + AGAINST
SIGNS = np.array([1] * len(FOR) + [-1] * len(AGAINST))


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
        for piece in rows_of(row)
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
        | cooccurrence(found, evidence)
        | conflicts(found, evidence)
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
        lost = (found.best < _SAID) * np.minimum(found.weights / 12, 1.5)
        total[:DIMENSIONS] += lost @ found.vectors
        total[DIMENSIONS:] += lost @ (found.vectors * found.near) * 16
    return total


def _found(found: Alignment, evidence: EvidenceIndex) -> dict[str, float]:
    stems = [token.stem for token in found.row]
    window = evidence.stems[found.window]
    values = {f"exact_{size}": score for size, score in found.exact.items()}
    values |= {f"soft_{size}": score for size, score in found.soft.items()}
    for n, known in zip((2, 3, 4), evidence.grams, strict=True):
        runs = grams(stems, n) or [tuple(stems)]
        values[f"gram_{n}"] = sum(run in known for run in runs) / len(runs)
    values["subsequence"] = subsequence(stems, window) / len(stems)
    values["all_here"], values["verbatim"] = _word_for_word(stems, window)
    near = found.nearness()
    values["nearness"] = float(near.sum() / len(near))
    values["loosest"] = 1 - float(near.min())
    values["found_doc"] = sum(t.stem in evidence.index for t in found.content) / len(found.content)
    values["found_here"] = np.count_nonzero(found.best > _SAID) / len(found.best)
    values["covered"] = found.covered
    values["cosine"] = found.cosine
    return values


def _word_for_word(stems: Sequence[str], window: Sequence[str]) -> tuple[float, float]:
    """Return the share of all words, function words included, and of all adjacent pairs that the window has."""
    here = set(window)
    single = sum(stem in here for stem in stems) / len(stems)
    pairs, together_there = list(pairwise(stems)), set(pairwise(window))
    return single, sum(pair in together_there for pair in pairs) / len(pairs) if pairs else single


def _missing(found: Alignment, evidence: EvidenceIndex) -> dict[str, float]:
    gaps = np.sort(found.weights * (1 - found.best))[::-1] / 12
    window = evidence.tokens[found.window]
    here = set(evidence.stems[found.window])
    mine, theirs = NumberRanges(found.row), NumberRanges(window)
    numbers = [t for i, t in enumerate(found.row) if t.number and not met(mine, i, theirs)]
    named = [is_name(t, evidence) for t in found.content]
    names = [t for t, name in zip(found.content, named, strict=True) if name and not t.number]
    plain = [i for i, t in enumerate(found.content) if not (named[i] or t.number)]
    plain_weights = found.weights[plain]
    return {
        "scattered": found.soft["doc"] - found.soft["1"],
        "lost": 1 - float(np.exp(-gaps.sum() / 2)),
        "worst": float(gaps[0]),
        "second_worst": float(gaps[1]) if len(gaps) > 1 else 0.0,
        "plain_missing": float(plain_weights @ (1 - found.best[plain]) / plain_weights.sum())
        if plain
        else 0.0,
        "number_missing": _share(t.stem not in evidence.index for t in numbers),
        "number_missing_here": _share(t.stem not in here for t in numbers),
        "name_missing": _share(t.stem not in evidence.index for t in names),
        "name_missing_here": _share(t.stem not in here for t in names),
    }


def _share(flags: Iterable[bool]) -> float:
    """Return 1 - 0.4**n for n flags that are true: 0, 0.6, 0.84, …."""
    return 1 - 0.4 ** sum(flags)


def _tone(found: Alignment, evidence: EvidenceIndex) -> dict[str, float]:
    mine = {t.norm for t in found.row}
    theirs = {t.norm for t in evidence.tokens[found.sentence]}
    window = {t.norm for t in evidence.tokens[found.window]}
    size = len(found.row)
    return {
        "hedge_dropped": float(bool(theirs & HEDGES) and not mine & HEDGES) * found.exact["1"],
        "hedge_added": float(bool(mine & HEDGES - window)),
        "absolute_added": _share(True for _ in mine & ABSOLUTES - window),
        "personal": sum(t.norm in PERSONAL and t.norm not in window for t in found.row) / size,
        "opinion": sum(t.norm in OPINIONS and t.norm not in window for t in found.row) / size,
        "question": float(found.question),
    }


def subsequence(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence, bit-parallel (Hyyrö 2004): one pass over `other`."""
    places: dict[str, int] = {}
    for i, stem in enumerate(one):
        places[stem] = places.get(stem, 0) | 1 << i
    full = (1 << len(one)) - 1
    row = full
    for stem in other:
        hit = row & places.get(stem, 0)
        row = (row + hit | row - hit) & full
    return len(one) - row.bit_count()


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
