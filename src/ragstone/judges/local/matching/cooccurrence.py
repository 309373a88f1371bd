"""Whether the words of a statement occur together in the evidence, not only somewhere.

A sentence may have all its words in the evidence without being stated anywhere: each run of content words is looked for
in one sentence, each pair of neighbouring words within a few tokens, each name of several words as a unit.
"""

from collections import Counter
from itertools import pairwise

import numpy as np

from ragstone.judges.local.matching.alignment import Alignment
from ragstone.judges.local.matching.evidence_index import EvidenceIndex

_RUNS = (3, 5)
"""Lengths of the runs of content words that are looked for in one sentence."""
_STEPS = (1, 2)
"""Distances of the two words of a pair, in content words."""
_APART = 6
"""Distance in tokens of the evidence within which the two words of a pair count as said together."""
_FALL = 0.4


def cooccurrence_features(found: Alignment, evidence: EvidenceIndex) -> dict[str, float]:
    """Return the co-occurrence features of one aligned sentence, each 0 to 1."""
    return _runs(found) | _pairs(found, evidence) | {"name_broken": _broken_names(found, evidence)}


def _runs(found: Alignment) -> dict[str, float]:
    """Return how well the best sentence for each run of content words covers it: the worst run, and the mean."""
    values: dict[str, float] = {}
    count, sentences = found.match_by_sentence.shape
    sums, totals = np.zeros((count + 1, sentences)), np.zeros(count + 1)
    np.cumsum(found.weights[:, None] * found.match_by_sentence, axis=0, dtype=np.float64, out=sums[1:])
    totals[1:] = found.weights.cumsum()
    for size in _RUNS:
        length = min(size, len(found.content_words))
        told = (sums[length:] - sums[:-length]).max(axis=1) / (totals[length:] - totals[:-length])
        values[f"run_{size}_worst"], values[f"run_{size}"] = float(told.min()), float(told.mean())
    return values


def _pairs(found: Alignment, evidence: EvidenceIndex) -> dict[str, float]:
    """Return the weight share of pairs said together, said in the same order, and known but said apart."""
    total = near = ordered = apart = 0.0
    content, weights = found.content_words, found.weights.tolist()
    gaps: dict[tuple[str, str], int] = {}
    for step in _STEPS:
        for i in range(len(content) - step):
            weight = min(weights[i], weights[i + step])
            total += weight
            ours = evidence.positions_by_stem.get(content[i].stem, [])
            theirs = evidence.positions_by_stem.get(content[i + step].stem, [])
            if ours and theirs:
                pair = content[i].stem, content[i + step].stem
                gap = gaps[pair] = gaps[pair] if pair in gaps else _gap(ours, theirs)
                near += weight * (abs(gap) <= _APART)
                ordered += weight * (0 < gap <= _APART)
                apart += weight * (abs(gap) > _APART)
    if not total:
        whole = float(content[0].stem in evidence.positions_by_stem)
        return {"pair_near": whole, "pair_ordered": whole, "pair_apart": 0.0}
    return {"pair_near": near / total, "pair_ordered": ordered / total, "pair_apart": apart / total}


def _gap(ours: list[int], theirs: list[int]) -> int:
    """Return the smallest distance from a place of one word to a place of another; of equal distances, the forward one.

    For a pair of equal words, distance 0 counts only if the word has no other place.
    """
    best = theirs[0] - ours[0]
    i = j = 0
    while i < len(ours) and j < len(theirs):
        gap = theirs[j] - ours[i]
        if (abs(gap), gap < 0) < (abs(best), best < 0) or best == 0:
            best = gap
        if gap > 0:
            i += 1
        else:
            j += 1
    return best


def _broken_names(found: Alignment, evidence: EvidenceIndex) -> float:
    """Return 1 - 0.4**n for n names of several words that the evidence has in part, but never together."""
    broken = 0
    names = Counter(tuple(token.stem for token in found.tokens[run]) for run in found.name_spans)
    for stems, times in names.items():
        known = sum(stem in evidence.positions_by_stem for stem in stems)
        whole = known == len(stems) and all(
            abs(_gap(evidence.positions_by_stem[one], evidence.positions_by_stem[other])) <= len(stems)
            for one, other in dict.fromkeys(pairwise(stems))
        )
        broken += times * (known > 0 and not whole)
    return 1 - _FALL**broken
