"""Numbers that a statement has calculated: two prizes of 200 euros are 400 euros."""

from collections.abc import Iterator, Sequence
from math import isfinite

from ragstone.judges.local.matching.alignment import Alignment
from ragstone.judges.local.matching.evidence_index import EvidenceIndex
from ragstone.text.tokens import WordToken

_DECIMALS = 6
"""Number of decimals to which results are rounded before they are compared."""


def has_calculated_numbers(alignments: Sequence[Alignment], evidence: EvidenceIndex) -> bool:
    """Return whether the statement has numbers that its best window lacks, and each is calculated from two others.

    The others are numbers of that window and of the statement. The calculation is a sum, difference, product, quotient
    or percentage. Whether it is the right calculation is not checked.
    """
    any_missing = False
    for alignment in alignments:
        statement_values, evidence_values = (
            set(_values(alignment.tokens)),
            set(_values(evidence.tokens[alignment.best_window])),
        )
        for value in statement_values - evidence_values:
            if not _is_calculated(value, (statement_values | evidence_values) - {value}):
                return False
            any_missing = True
    return any_missing


def _values(tokens: Sequence[WordToken]) -> Iterator[float]:
    """Yield the plain numbers of a text above 1: not "10:30", nor "one", which is rarely a count."""
    for token in tokens:
        if token.is_number and token.stem.removeprefix("#").replace(".", "", 1).isdecimal():
            value = float(token.stem.removeprefix("#"))
            if value > 1 and isfinite(value):
                yield round(value, _DECIMALS)


def _is_calculated(value: float, operands: set[float]) -> bool:
    """Return whether one operation on two of the operands, which may be the same, has this result."""
    return any(
        round(second, _DECIMALS) in operands
        for first in operands
        for second in _second_operands(value, first)
    )


def _second_operands(value: float, operand: float) -> tuple[float, ...]:
    """Return each number that gives `value` together with `operand`."""
    return (
        value - operand,  # their sum
        operand - value,  # their difference, either way
        operand + value,
        value / operand,  # their product
        operand / value,  # their quotient, either way
        operand * value,
        100 * value / operand,  # a percentage, either way
        100 * operand / value,
        100 * abs(value - operand) / operand,  # the operand, raised or lowered by so many percent
    )
