"""Words that distinguish one group of texts from another: weighted log-odds with an informative Dirichlet prior.

With y the number of texts of a group that hold a word, n their sum over all words, and a the prior of the word,

    difference = log((y1 + a) / (n1 + a0 - y1 - a)) - log((y2 + a) / (n2 + a0 - y2 - a))
    z = difference / sqrt(1 / (y1 + a) + 1 / (y2 + a))

where a is the word's share of all words times a0. The prior pulls rare words to their share in all texts, so that a
word seen once is not ranked first. Source: Monroe, Colaresi and Quinn, Political Analysis 16, 2008, section 3.5.1.
"""

import numpy as np

from ragstone.stats._arrays import FloatArray, Numbers, finite
from ragstone.stats._checks import same_length


def word_odds(
    group: Numbers, other: Numbers, everywhere: Numbers, *, prior: float | None = None
) -> FloatArray:
    """Return the z-score of each word: above 0 where it belongs to the group, below where to the other.

    Args:
        group: Number of texts with each word, in the group.
        other: Number of texts with each word, in the other group.
        everywhere: Number of texts with each word, in all texts; above 0 for every word.
        prior: Weight a0 of the prior, in words; that of the group where None.

    Raises:
        ValueError: The lengths differ, a count is below 0, or a word occurs nowhere.
    """
    same_length(group=group, other=other, everywhere=everywhere)
    counts, others, total = finite(group, "group"), finite(other, "other"), finite(everywhere, "everywhere")
    if min(counts.min(initial=0.0), others.min(initial=0.0)) < 0 or (total <= 0).any():
        raise ValueError("a count is below 0, or a word occurs nowhere: leave such words out")
    weight = float(counts.sum()) if prior is None else prior
    prior_counts = max(weight, 1.0) * total / total.sum()
    difference = _log_odds(counts + prior_counts) - _log_odds(others + prior_counts)
    return difference / np.sqrt(1.0 / (counts + prior_counts) + 1.0 / (others + prior_counts))


def _log_odds(counts: FloatArray) -> FloatArray:
    rest = np.maximum(counts.sum() - counts, 1e-9)
    return np.log(counts / rest)
