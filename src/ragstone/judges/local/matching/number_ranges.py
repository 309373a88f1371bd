"""Ranges of numbers: two numbers may agree without being equal.

"more than 400" is true of 412, "60 or more" covers 75, "about 50" may be 48, "10 to 12" and "10-12" hold 11.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import inf

from ragstone.text.lexicon import is_negation
from ragstone.text.tokens import WordToken

_SEARCH_TOKENS = 4
"""Number of tokens before and after a number that are searched for its bound."""
_LOWER_BOUND_PREFIXES = (
    "more than", "over", "at least", "above", "exceed", "exceeds", "exceeding", "upward of", "no fewer than",
    "no less than", "not less than", "beyond", "minimum of", "older than", "longer than", "later than",
)  # fmt: skip
_UPPER_BOUND_PREFIXES = (
    "less than", "under", "up to", "at most", "below", "fewer than", "within", "no more than", "not more than",
    "maximum of", "no later than", "no longer than", "not exceeding", "younger than", "shorter than",
)  # fmt: skip
_APPROXIMATE_PREFIXES = (
    "about", "around", "nearly", "almost", "approximately", "roughly", "some", "close to", "just under", "just over",
)  # fmt: skip
_LOWER_BOUND_SUFFIXES = (
    "or more", "or over", "or above", "or longer", "or later", "or older", "or newer", "or higher", "and over",
    "and above", "and more", "and newer", "upwards",
)  # fmt: skip
_UPPER_BOUND_SUFFIXES = (
    "or less", "or fewer", "or under", "or below", "or shorter", "or younger", "or lower", "or earlier",
    "and under", "and below",
)  # fmt: skip
_TOLERANCE = 0.1
"""Relative tolerance of an approximate number."""
_DASH_GAPS = (1, 3)
"""Numbers of characters between two numbers that a dash joins: "10-12", "10 - 12"; a comma and a space are two."""
_MAX_RANGE_RATIO = 5
"""Maximum ratio of the end of a range to its beginning: "May 15 2014" is not a range."""


@dataclass(frozen=True, slots=True)
class _Range:
    """The values that a number in a text allows: from `low` to `high`, both included; `is_bound` if it is not exact."""

    low: float
    high: float
    is_bound: bool


class NumberRanges:
    """The range of each number in a sequence of tokens, read once from the words around it."""

    def __init__(self, row: Sequence[WordToken]) -> None:
        """Prepare to read the ranges of the numbers in `tokens`; each is read at its first use."""
        self.tokens = row
        self._range_by_position: dict[int, _Range | None] = {}

    def range_at(self, i: int) -> _Range | None:
        """Return the range of the i-th token; None if it is not a plain number ("10:30")."""
        if i not in self._range_by_position:
            self._range_by_position[i] = _read_range(self.tokens, i)
        return self._range_by_position[i]

    @cached_property
    def exact_values(self) -> list[float]:
        """The numbers that are not bounds, sorted."""
        return sorted(_value(self.tokens[i]) for i, found in self._all() if not found.is_bound)

    @cached_property
    def _wide_ranges(self) -> tuple[list[float], list[float]]:
        wide = sorted((found.low, found.high) for _, found in self._all() if found.low != found.high)
        return [low for low, _ in wide], list(accumulate((high for _, high in wide), max))

    def _all(self) -> list[tuple[int, _Range]]:
        numbers = [i for i, token in enumerate(self.tokens) if token.is_number]
        return [(i, found) for i in numbers if (found := self.range_at(i)) is not None]

    def any_range_contains(self, value: float) -> bool:
        """Whether any range of more than one value contains this value."""
        lows, max_highs = self._wide_ranges
        count = bisect_right(lows, value)
        return count > 0 and max_highs[count - 1] >= value


def contains_exact_number(statement_ranges: NumberRanges, i: int, evidence_ranges: NumberRanges) -> bool:
    """Whether any exact number of the evidence lies in the range of the i-th token."""
    found, values = statement_ranges.range_at(i), evidence_ranges.exact_values
    if found is None or found.low == found.high:
        return False
    index = bisect_left(values, found.low)
    return index < len(values) and values[index] <= found.high


def lies_in_range(statement_ranges: NumberRanges, i: int, evidence_ranges: NumberRanges) -> bool:
    """Whether the i-th token's number, not a bound itself, lies in a range of the evidence.

    Two bounds are not compared here: "at least 75" contradicts "at least 65".
    """
    found, value = statement_ranges.range_at(i), _value(statement_ranges.tokens[i])
    return found is not None and not found.is_bound and evidence_ranges.any_range_contains(value)


def exclude_each_other(statement_ranges: NumberRanges, i: int, evidence_ranges: NumberRanges, j: int) -> bool:
    """Whether two numbers cannot both be true of the same thing, because their ranges do not overlap.

    Two bounds in the same direction exclude each other if they differ: "at least 6" contradicts "at least 10".
    """
    first, second = statement_ranges.range_at(i), evidence_ranges.range_at(j)
    if first is None or second is None:
        return True
    if first.is_bound and second.is_bound and (first.low == -inf) == (second.low == -inf):
        return (first.low, first.high) != (second.low, second.high)
    return first.low > second.high or second.low > first.high


def _read_range(tokens: Sequence[WordToken], i: int) -> _Range | None:
    value = _value(tokens[i])
    if value != value:  # noqa: PLR0124  (only NaN differs from itself)
        return None
    if closed_range := _closed_range(tokens, i, value):
        return closed_range
    before = " " + " ".join(token.norm for token in tokens[max(0, i - _SEARCH_TOKENS) : i])
    after = " ".join(token.norm for token in tokens[i + 1 : i + 1 + _SEARCH_TOKENS]) + " "
    lower, upper = (_longest_prefix(before, p) for p in (_LOWER_BOUND_PREFIXES, _UPPER_BOUND_PREFIXES))
    earlier = tokens[max(0, i - 2 - _SEARCH_TOKENS) : i]
    if lower and not upper and any(is_negation(token.norm) for token in earlier):
        lower, upper = 0, lower  # "do not take more than"
    if lower > upper or any(f"{phrase} " in after for phrase in _LOWER_BOUND_SUFFIXES):
        return _Range(value, inf, is_bound=True)
    if upper or any(f"{phrase} " in after for phrase in _UPPER_BOUND_SUFFIXES):
        return _Range(-inf, value, is_bound=True)
    tolerance = _TOLERANCE * abs(value) if _longest_prefix(before, _APPROXIMATE_PREFIXES) else 0.0
    return _Range(value - tolerance, value + tolerance, is_bound=False)


def _closed_range(tokens: Sequence[WordToken], i: int, value: float) -> _Range | None:
    for step in (1, 2, -1, -2):
        first, last = min(i, i + step), max(i, i + step)
        is_number = first >= 0 and last < len(tokens) and tokens[i + step].is_number
        if is_number and _are_joined(tokens, first, last):
            low, high = sorted((value, _value(tokens[i + step])))
            is_range = low == _value(tokens[first]) and 0 < low < high <= _MAX_RANGE_RATIO * low
            return _Range(low, high, is_bound=True) if is_range else None
    return None


def _are_joined(tokens: Sequence[WordToken], first: int, last: int) -> bool:
    """Whether two numbers are the ends of one range: a dash between them, "10 to 12" or "between 10 and 12"."""
    if last - first == 1:
        return tokens[last].start - tokens[first].end in _DASH_GAPS
    word = tokens[first + 1].norm
    return word in {"to", "through"} or (word == "and" and first > 0 and tokens[first - 1].norm == "between")


def _longest_prefix(text: str, phrases: tuple[str, ...]) -> int:
    """Return the length of the longest phrase that a text ends with, 0 where it ends with none."""
    if not text.endswith(phrases):
        return 0  # the usual case
    return max((len(phrase) for phrase in phrases if text.endswith(f" {phrase}")), default=0)


def _value(token: WordToken) -> float:
    try:
        return float(token.stem[1:])
    except ValueError:
        return float("nan")
