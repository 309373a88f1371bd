"""RAGChecker's figures: the counts in the claim matrix, and the queries that each figure needs. Pure."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from ragstone.metrics.shared.claim_matrix import ClaimMatrix, ClaimQuery, Passages, TextClaims

FigureName = Literal[
    "claim_recall",
    "context_precision",
    "context_utilization",
    "f1",
    "faithfulness",
    "hallucination",
    "noise_sensitivity_in_irrelevant",
    "noise_sensitivity_in_relevant",
    "precision",
    "recall",
    "self_knowledge",
]


class CountedShare(NamedTuple):
    """A share as two counts, with a name for the counted items."""

    part: int
    whole: int
    of: str


class ClaimFigure(NamedTuple):
    """The query for the claims of each text, and the function that counts the result."""

    actual: ClaimQuery
    expected: ClaimQuery
    counted: Callable[[ClaimMatrix], CountedShare]
    higher_is_better: bool = True


def _count_actual(matrix: ClaimMatrix, counts: Callable[[bool, Passages], bool]) -> CountedShare:
    """Count the actual output's claims for which `counts(is right, its passages)` is true."""
    side = matrix.actual
    right = side.by_other or (False,) * len(side.claims)
    by_passage = side.by_passage or (frozenset[int](),) * len(side.claims)
    part = sum(counts(bool(is_right), passages) for is_right, passages in zip(right, by_passage, strict=True))
    return CountedShare(part, len(side.claims), "claims of the actual output")


def _count_expected(side: TextClaims, counted: tuple[bool | None, ...]) -> CountedShare:
    return CountedShare(sum(map(bool, counted)), len(side.claims), "claims of the expected output")


def _precision(matrix: ClaimMatrix) -> CountedShare:
    return _count_actual(matrix, lambda right, found: right)  # noqa: ARG005  (one shape for all counters)


def _recall(matrix: ClaimMatrix) -> CountedShare:
    return _count_expected(matrix.expected, matrix.expected.by_other)


def _claim_recall(matrix: ClaimMatrix) -> CountedShare:
    return _count_expected(matrix.expected, tuple(map(bool, matrix.expected.by_passage)))


def _context_precision(matrix: ClaimMatrix) -> CountedShare:
    if not matrix.expected.claims:
        return CountedShare(0, 0, "claims of the expected output")
    return CountedShare(len(matrix.relevant), matrix.passages, "passages")


def _context_utilization(matrix: ClaimMatrix) -> CountedShare:
    side = matrix.expected
    used = [bool(stated) for stated, passages in zip(side.by_other, side.by_passage, strict=True) if passages]
    return CountedShare(sum(used), len(used), "claims of the expected output that a passage supports")


def _noise_in_relevant(matrix: ClaimMatrix) -> CountedShare:
    return _count_actual(matrix, lambda right, found: not right and bool(found & matrix.relevant))


def _noise_in_irrelevant(matrix: ClaimMatrix) -> CountedShare:
    return _count_actual(
        matrix, lambda right, found: not right and bool(found) and not found & matrix.relevant
    )


def _faithfulness(matrix: ClaimMatrix) -> CountedShare:
    return _count_actual(matrix, lambda right, found: bool(found))  # noqa: ARG005  (one shape for all counters)


def _hallucination(matrix: ClaimMatrix) -> CountedShare:
    return _count_actual(matrix, lambda right, found: not right and not found)


def _self_knowledge(matrix: ClaimMatrix) -> CountedShare:
    return _count_actual(matrix, lambda right, found: right and not found)


_NONE, _OTHER = ClaimQuery(), ClaimQuery(claims=True, by_other=True)
_PASSAGE, _BOTH = (
    ClaimQuery(claims=True, by_passage=True),
    ClaimQuery(claims=True, by_other=True, by_passage=True),
)

FIGURES: dict[FigureName, ClaimFigure] = {
    "precision": ClaimFigure(_OTHER, _NONE, _precision),
    "recall": ClaimFigure(_NONE, _OTHER, _recall),
    "f1": ClaimFigure(_OTHER, _OTHER, _recall),
    "claim_recall": ClaimFigure(_NONE, _PASSAGE, _claim_recall),
    "context_precision": ClaimFigure(_NONE, _PASSAGE, _context_precision),
    "context_utilization": ClaimFigure(_NONE, _BOTH, _context_utilization),
    "noise_sensitivity_in_relevant": ClaimFigure(_BOTH, _PASSAGE, _noise_in_relevant, higher_is_better=False),
    "noise_sensitivity_in_irrelevant": ClaimFigure(
        _BOTH, _PASSAGE, _noise_in_irrelevant, higher_is_better=False
    ),
    "faithfulness": ClaimFigure(_PASSAGE, _NONE, _faithfulness),
    "hallucination": ClaimFigure(_BOTH, _NONE, _hallucination, higher_is_better=False),
    "self_knowledge": ClaimFigure(_BOTH, _NONE, _self_knowledge, higher_is_better=False),
}
