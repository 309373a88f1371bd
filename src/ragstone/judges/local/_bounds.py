"""Numbers that need not be equal: "more than 400" is true of 412, "about 50" of 48."""

from collections.abc import Sequence

from ragstone.judges.local._text import Token

_REACH = 3
_ABOVE = (
    "more than",
    "over",
    "at least",
    "above",
    "exceed",
    "upward of",
    "no fewer than",
    "no less than",
    "beyond",
)
_BELOW = (
    "less than",
    "under",
    "up to",
    "at most",
    "below",
    "fewer than",
    "within",
    "no more than",
    "not more than",
)
_NEAR = (
    "about",
    "around",
    "nearly",
    "almost",
    "approximately",
    "roughly",
    "some",
    "close to",
    "just under",
    "just over",
)
_TOLERANCE = 0.1


def within(row: Sequence[Token], i: int, there: Sequence[Token], place: int) -> bool:
    """Whether the number at a place of the evidence satisfies what the words before the i-th token say of its number.

    A bound against a bound is no such case: "at least 75" denies "at least 65".
    """
    mine, theirs = _value(row[i]), _value(there[place])
    if mine is None or theirs is None or _ends(_before(there, place), (*_ABOVE, *_BELOW)):
        return False
    before = _before(row, i)
    if _ends(before, _NEAR):
        return abs(theirs - mine) <= _TOLERANCE * abs(mine)
    if _ends(before, _BELOW):
        return theirs <= mine
    return _ends(before, _ABOVE) and theirs >= mine


def _before(row: Sequence[Token], i: int) -> str:
    return " " + " ".join(token.norm for token in row[max(0, i - _REACH) : i])


def _ends(before: str, phrases: Sequence[str]) -> bool:
    return any(before.endswith(f" {phrase}") for phrase in phrases)


def _value(token: Token) -> float | None:
    try:
        return float(token.stem[1:])
    except ValueError:
        return None
