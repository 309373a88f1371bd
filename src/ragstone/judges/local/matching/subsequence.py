"""The longest common subsequence of two texts: the words that both have in the same order."""

from collections.abc import Sequence


def common_subsequence_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return how many words two texts have in common in the same order.

    Bit-parallel (Hyyrö, Bit-parallel LCS-length computation revisited, 2004): one step for each word of the first text.
    """
    masks: dict[str, int] = {}
    for position, word in enumerate(second):
        masks[word] = masks.get(word, 0) | 1 << position
    all_bits = (1 << len(second)) - 1
    unmatched = all_bits
    for word in first:
        matched = unmatched & masks.get(word, 0)
        unmatched = (unmatched + matched | unmatched - matched) & all_bits
    return len(second) - unmatched.bit_count()
