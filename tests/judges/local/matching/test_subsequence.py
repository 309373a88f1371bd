from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.judges.local.matching.edits import common_subsequence_length

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=12)


def longest(one: list[str], other: list[str]) -> int:
    row = [0] * (len(other) + 1)
    for x in one:
        above = row[:]
        for j, y in enumerate(other, 1):
            row[j] = above[j - 1] + 1 if x == y else max(above[j], row[j - 1])
    return row[-1]


@settings(deadline=None)
@given(WORDS, WORDS)
def test_common_subsequence_length_is_that_of_the_longest_subsequence(
    one: list[str], other: list[str]
) -> None:
    assert common_subsequence_length(one, other) == longest(one, other)


def test_common_subsequence_length_counts_words_in_the_same_order() -> None:
    assert common_subsequence_length("abcbdab", "bdcaba") == 4
    assert common_subsequence_length("abc", "abc") == 3
    assert common_subsequence_length("abc", "cba") == 1
    assert common_subsequence_length("abc", "") == 0
