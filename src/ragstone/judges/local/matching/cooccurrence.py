"""Whether the words of a statement occur together in the evidence, not only somewhere.

The evidence may have all words of a sentence without stating it. So each run of content words is searched for in one
sentence, each pair of neighbouring words within a few tokens, and each name of several words as a unit.
"""

from collections import Counter
from itertools import pairwise

import numpy as np

from ragstone.judges.local.matching.alignment import Alignment
from ragstone.judges.local.matching.evidence_index import EvidenceIndex

_RUN_LENGTHS = (3, 5)
"""Lengths of the runs of content words that are searched for in one sentence."""
_PAIR_DISTANCES = (1, 2)
"""Distances between the two words of a pair in the statement, in content words."""
_MAX_GAP = 6
"""Maximum distance in tokens at which the evidence has the two words of a pair together."""
_BROKEN_NAME_FACTOR = 0.4
"""Factor of each broken name in `name_broken`."""


def cooccurrence_features(alignment: Alignment, evidence: EvidenceIndex) -> dict[str, float]:
    """Return the co-occurrence features of one aligned sentence, each 0 to 1."""
    return (
        _run_features(alignment)
        | _pair_features(alignment, evidence)
        | {"name_broken": _broken_names(alignment, evidence)}
    )


def _run_features(alignment: Alignment) -> dict[str, float]:
    """Return the coverage of each run of content words by its best sentence: that of the worst run, and the mean."""
    features: dict[str, float] = {}
    word_count, sentence_count = alignment.match_by_sentence.shape
    cumulative_match, cumulative_weight = np.zeros((word_count + 1, sentence_count)), np.zeros(word_count + 1)
    np.cumsum(
        alignment.weights[:, None] * alignment.match_by_sentence,
        axis=0,
        dtype=np.float64,
        out=cumulative_match[1:],
    )
    cumulative_weight[1:] = alignment.weights.cumsum()
    for size in _RUN_LENGTHS:
        length = min(size, len(alignment.content_words))
        coverage = (cumulative_match[length:] - cumulative_match[:-length]).max(axis=1) / (
            cumulative_weight[length:] - cumulative_weight[:-length]
        )
        features[f"run_{size}_worst"], features[f"run_{size}"] = float(coverage.min()), float(coverage.mean())
    return features


def _pair_features(alignment: Alignment, evidence: EvidenceIndex) -> dict[str, float]:
    """Return the weight share of pairs that are together, together in the same order, and present but apart."""
    total = near = ordered = apart = 0.0
    content_words, weights = alignment.content_words, alignment.weights.tolist()
    gap_by_pair: dict[tuple[str, str], int] = {}
    for distance in _PAIR_DISTANCES:
        for i in range(len(content_words) - distance):
            weight = min(weights[i], weights[i + distance])
            total += weight
            first_positions = evidence.positions_by_stem.get(content_words[i].stem, [])
            second_positions = evidence.positions_by_stem.get(content_words[i + distance].stem, [])
            if first_positions and second_positions:
                pair = content_words[i].stem, content_words[i + distance].stem
                gap = gap_by_pair[pair] = (
                    gap_by_pair[pair]
                    if pair in gap_by_pair
                    else _smallest_gap(first_positions, second_positions)
                )
                near += weight * (abs(gap) <= _MAX_GAP)
                ordered += weight * (0 < gap <= _MAX_GAP)
                apart += weight * (abs(gap) > _MAX_GAP)
    if not total:
        present = float(content_words[0].stem in evidence.positions_by_stem)
        return {"pair_near": present, "pair_ordered": present, "pair_apart": 0.0}
    return {"pair_near": near / total, "pair_ordered": ordered / total, "pair_apart": apart / total}


def _smallest_gap(first_positions: list[int], second_positions: list[int]) -> int:
    """Return the smallest signed distance from a first to a second position; of equal distances, the positive one.

    For a pair of equal words, distance 0 counts only if the word has no other position.
    """
    smallest = second_positions[0] - first_positions[0]
    i = j = 0
    while i < len(first_positions) and j < len(second_positions):
        gap = second_positions[j] - first_positions[i]
        if (abs(gap), gap < 0) < (abs(smallest), smallest < 0) or smallest == 0:
            smallest = gap
        if gap > 0:
            i += 1
        else:
            j += 1
    return smallest


def _broken_names(alignment: Alignment, evidence: EvidenceIndex) -> float:
    """Return 1 - 0.4**n for n names of several words that the evidence has in part, but never as a whole."""
    broken = 0
    name_counts = Counter(
        tuple(token.stem for token in alignment.tokens[span]) for span in alignment.name_spans
    )
    for stems, count in name_counts.items():
        known_count = sum(stem in evidence.positions_by_stem for stem in stems)
        together = known_count == len(stems) and all(
            abs(_smallest_gap(evidence.positions_by_stem[first], evidence.positions_by_stem[second]))
            <= len(stems)
            for first, second in dict.fromkeys(pairwise(stems))
        )
        broken += count * (known_count > 0 and not together)
    return 1 - _BROKEN_NAME_FACTOR**broken
