"""Ranges of numbers: two numbers may agree without being equal.

"more than 400" is true of 412, "60 or more" covers 75, "about 50" may be 48, "10 to 12" and "10-12" hold 11.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import inf

from ragstone.judges.local.matching.alignment import is_content_word
from ragstone.judges.local.text.lexicon import is_negation
from ragstone.judges.local.text.tokens import WordToken

_REACH = 4
"""Number of tokens before or after a number that are searched for its bound."""
_ABOVE = (
    "more than", "over", "at least", "above", "exceed", "exceeds", "exceeding", "upward of", "no fewer than",
    "no less than", "not less than", "beyond", "minimum of", "older than", "longer than", "later than",
)  # fmt: skip
_BELOW = (
    "less than", "under", "up to", "at most", "below", "fewer than", "within", "no more than", "not more than",
    "maximum of", "no later than", "no longer than", "not exceeding", "younger than", "shorter than",
)  # fmt: skip
_NEAR = (
    "about", "around", "nearly", "almost", "approximately", "roughly", "some", "close to", "just under", "just over",
)  # fmt: skip
_UPWARD = ("or more", "or over", "or above", "or longer", "or later", "or older", "or newer", "or higher", "and over",
           "and above", "and more", "and newer", "upwards")  # fmt: skip
_DOWNWARD = ("or less", "or fewer", "or under", "or below", "or shorter", "or younger", "or lower", "or earlier",
             "and under", "and below")  # fmt: skip
_TOLERANCE = 0.1
_JOINED = (1, 3)
"""Characters between two numbers that a dash joins: "10-12", "10 - 12"; a comma takes two."""
_WIDEST = 5
"""Largest ratio of the end of a range to its beginning: "May 15 2014" is not a range."""


@dataclass(frozen=True, slots=True)
class _Range:
    """The values that a number in a text allows: from `low` to `high`, both included."""

    low: float
    high: float
    bound: bool


class NumberRanges:
    """The range of each number in a row of tokens, read once from the words around it."""

    def __init__(self, row: Sequence[WordToken]) -> None:
        """Read the numbers of `tokens` when they are asked for."""
        self.row = row
        self._known: dict[int, _Range | None] = {}

    def range_at(self, i: int) -> _Range | None:
        """Return the range of the i-th token; None if it is not a plain number ("10:30")."""
        if i not in self._known:
            self._known[i] = _range(self.row, i)
        return self._known[i]

    @cached_property
    def exact_values(self) -> list[float]:
        """The numbers that are not bounds, sorted."""
        found = ((i, self.range_at(i)) for i, token in enumerate(self.row) if token.is_number)
        return sorted(_value(self.row[i]) for i, found in found if found is not None and not found.bound)

    @cached_property
    def _open(self) -> tuple[list[float], list[float]]:
        """The ranges that allow more than one value: their lower ends, sorted, and the highest upper end so far."""
        found = (self.range_at(i) for i, token in enumerate(self.row) if token.is_number)
        wide = sorted((one.low, one.high) for one in found if one is not None and one.low != one.high)
        return [low for low, _ in wide], list(accumulate((high for _, high in wide), max))

    def any_range_holds(self, value: float) -> bool:
        """Whether any range of more than one value holds this one."""
        lows, highest = self._open
        place = bisect_right(lows, value)
        return place > 0 and highest[place - 1] >= value


def contains_exact_number(mine: NumberRanges, i: int, theirs: NumberRanges) -> bool:
    """Whether any exact number of the evidence lies in the range of the i-th token."""
    found = mine.range_at(i)
    if found is None or found.low == found.high:
        return False
    place = bisect_left(theirs.exact_values, found.low)
    return place < len(theirs.exact_values) and theirs.exact_values[place] <= found.high


def lies_in_range(mine: NumberRanges, i: int, theirs: NumberRanges) -> bool:
    """Whether the i-th number, no bound itself, lies in a range that the other row states.

    A bound against a bound is no such case: "at least 75" denies "at least 65".
    """
    found = mine.range_at(i)
    return found is not None and not found.bound and theirs.any_range_holds(_value(mine.row[i]))


def exclude_each_other(mine: NumberRanges, i: int, theirs: NumberRanges, place: int) -> bool:
    """Whether both numbers cannot be true of one thing, because their ranges do not overlap.

    Two bounds that point the same way exclude each other where they differ: "at least 6" denies "at least 10".
    """
    one, other = mine.range_at(i), theirs.range_at(place)
    if one is None or other is None:
        return True
    if one.bound and other.bound and (one.low == -inf) == (other.low == -inf):
        return (one.low, one.high) != (other.low, other.high)
    return one.low > other.high or other.low > one.high


def lies_within_bound(mine: NumberRanges, i: int, theirs: NumberRanges, place: int) -> bool:
    """Whether a bound at a place of the evidence, of the same thing, allows the i-th token's plain number.

    Both are of the same thing if the word after them is the same ("75 days", "60 days or more"), or the word before
    them ("version 15", "version 14 or newer").
    """
    row, there = mine.row, theirs.row
    if not there[place].is_number or not (
        _alike(row, i + 1, there, place + 1) or _alike(row, i - 1, there, place - 1)
    ):
        return False
    one, other = mine.range_at(i), theirs.range_at(place)
    if one is None or other is None or one.bound or not other.bound:
        return False
    return other.low <= _value(row[i]) <= other.high


def _alike(row: Sequence[WordToken], at: int, there: Sequence[WordToken], place: int) -> bool:
    """Whether two places hold the same content word."""
    inside = 0 <= at < len(row) and 0 <= place < len(there)
    return inside and row[at].stem == there[place].stem and is_content_word(row[at])


def _range(row: Sequence[WordToken], i: int) -> _Range | None:
    """Return the range of a number, read from the words around it; None if it is not a plain number ("10:30")."""
    value = _value(row[i])
    if value != value:  # noqa: PLR0124  (only NaN differs from itself)
        return None
    if between := _between(row, i, value):
        return between
    before = " " + " ".join(token.norm for token in row[max(0, i - _REACH) : i])
    after = " ".join(token.norm for token in row[i + 1 : i + 1 + _REACH]) + " "
    above, below = _longest(before, _ABOVE), _longest(before, _BELOW)
    if above and any(is_negation(token.norm) for token in row[max(0, i - 2 - _REACH) : i]) and not below:
        above, below = 0, above  # "do not take more than"
    if above > below or any(f"{phrase} " in after for phrase in _UPWARD):
        return _Range(value, inf, bound=True)
    if below or any(f"{phrase} " in after for phrase in _DOWNWARD):
        return _Range(-inf, value, bound=True)
    slack = _TOLERANCE * abs(value) if _longest(before, _NEAR) else 0.0
    return _Range(value - slack, value + slack, bound=False)


def _between(row: Sequence[WordToken], i: int, value: float) -> _Range | None:
    """Return the range that a number begins or ends, or None."""
    for step in (1, 2, -1, -2):
        at, other = min(i, i + step), max(i, i + step)
        if at >= 0 and other < len(row) and row[i + step].is_number and _joined(row, at, other):
            low, high = sorted((value, _value(row[i + step])))
            ordered = low == _value(row[at])
            return _Range(low, high, bound=True) if ordered and 0 < low < high <= _WIDEST * low else None
    return None


def _joined(row: Sequence[WordToken], at: int, other: int) -> bool:
    """Whether two numbers are the ends of one range: a dash between them, "10 to 12" or "between 10 and 12"."""
    if other - at == 1:
        return row[other].start - row[at].end in _JOINED
    word = row[at + 1].norm
    return word in {"to", "through"} or (word == "and" and at > 0 and row[at - 1].norm == "between")


def _longest(before: str, phrases: tuple[str, ...]) -> int:
    """Return the length of the longest phrase that a text ends in, 0 where it ends in none."""
    if not before.endswith(phrases):
        return 0  # the usual case
    return max((len(phrase) for phrase in phrases if before.endswith(f" {phrase}")), default=0)


def _value(token: WordToken) -> float:
    try:
        return float(token.stem[1:])
    except ValueError:
        return float("nan")
