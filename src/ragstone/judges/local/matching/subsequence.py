"""The longest common subsequence of two texts: the words that both have in the same order."""

from collections.abc import Sequence


def common_subsequence_length(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words two texts have in common in the same order.

    Bit-parallel (Hyyrö, Bit-parallel LCS-length computation revisited, 2004): one step for each word of the first text.
    """
    places: dict[str, int] = {}
    for place, word in enumerate(other):
        places[word] = places.get(word, 0) | 1 << place
    every = (1 << len(other)) - 1
    left = every
    for word in one:
        met = left & places.get(word, 0)
        left = (left + met | left - met) & every
    return len(other) - left.bit_count()
