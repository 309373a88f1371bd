"""Numbers that a statement has calculated: two prizes of 200 euros are 400 euros."""

from collections.abc import Iterator, Sequence
from math import isfinite

from ragstone.judges.local.matching.alignment import Alignment
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.judges.local.text.tokens import WordToken

_DIGITS = 6
"""Decimals to which two results are equal."""


def has_calculated_numbers(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> bool:
    """Return whether the statement has numbers that its closest sentences lack, and all follow from two others.

    The others are numbers of those sentences and of the statement; one follows as their sum, difference, product,
    quotient or percentage. Whether the calculation is the right one is not checked.
    """
    lacking = False
    for found in alignments:
        own, theirs = set(_values(found.tokens)), set(_values(evidence.tokens[found.best_window]))
        for value in own - theirs:
            if not _follows(value, (own | theirs) - {value}):
                return False
            lacking = True
    return lacking


def _values(row: Sequence[WordToken]) -> Iterator[float]:
    """Yield the plain numbers of a text: not "10:30", nor "one", which counts nothing."""
    for token in row:
        if token.is_number and token.stem.removeprefix("#").replace(".", "", 1).isdecimal():
            value = float(token.stem.removeprefix("#"))
            if value > 1 and isfinite(value):
                yield round(value, _DIGITS)


def _follows(value: float, known: set[float]) -> bool:
    """Return whether one operation on two known numbers, which may be the same, has this result."""
    return any(round(other, _DIGITS) in known for one in known for other in _partners(value, one))


def _partners(value: float, one: float) -> tuple[float, ...]:
    """Return each number with which `one` gives `value`."""
    return (
        value - one,  # their sum
        one - value,  # their difference, either way
        one + value,
        value / one,  # their product
        one / value,  # their quotient, either way
        one * value,
        100 * value / one,  # the share of one in percent
        100 * one / value,
        100 * abs(value - one) / one,  # one, raised or lowered by so many percent
    )
