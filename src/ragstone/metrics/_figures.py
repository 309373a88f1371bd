"""RAGChecker's figures: what is counted in the matrix of claims, and what must be asked for it. Pure."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from ragstone.metrics._claim_matrix import Asked, ClaimMatrix, Side

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


class Share(NamedTuple):
    """How many of how many, and of what."""

    part: int
    whole: int
    of: str


class Figure(NamedTuple):
    """What is asked of each text's claims, and what is counted."""

    actual: Asked
    expected: Asked
    counted: Callable[[ClaimMatrix], Share]
    higher_is_better: bool = True


def _actual(matrix: ClaimMatrix, counts: Callable[[bool, frozenset[int]], bool]) -> Share:
    """Count the claims of the actual output for which `counts` holds, given: is it right, and the passages."""
    side = matrix.actual
    right = side.by_other or (False,) * len(side.claims)
    where = side.by_passage or (frozenset[int](),) * len(side.claims)
    part = sum(counts(is_right, found) for is_right, found in zip(right, where, strict=True))
    return Share(part, len(side.claims), "claims of the actual output")


def _expected(side: Side, counted: tuple[bool, ...]) -> Share:
    return Share(sum(counted), len(side.claims), "claims of the expected output")


def _precision(matrix: ClaimMatrix) -> Share:
    return _actual(matrix, lambda right, found: right)  # noqa: ARG005  (one shape for all counters)


def _recall(matrix: ClaimMatrix) -> Share:
    return _expected(matrix.expected, matrix.expected.by_other)


def _claim_recall(matrix: ClaimMatrix) -> Share:
    return _expected(matrix.expected, tuple(map(bool, matrix.expected.by_passage)))


def _context_precision(matrix: ClaimMatrix) -> Share:
    if not matrix.expected.claims:
        return Share(0, 0, "claims of the expected output")
    return Share(len(matrix.relevant), matrix.passages, "passages")


def _context_utilization(matrix: ClaimMatrix) -> Share:
    side = matrix.expected
    used = [said for said, found in zip(side.by_other, side.by_passage, strict=True) if found]
    return Share(sum(used), len(used), "claims of the expected output that a passage supports")


def _noise_in_relevant(matrix: ClaimMatrix) -> Share:
    return _actual(matrix, lambda right, found: not right and bool(found & matrix.relevant))


def _noise_in_irrelevant(matrix: ClaimMatrix) -> Share:
    return _actual(matrix, lambda right, found: not right and bool(found) and not found & matrix.relevant)


def _faithfulness(matrix: ClaimMatrix) -> Share:
    return _actual(matrix, lambda right, found: bool(found))  # noqa: ARG005  (one shape for all counters)


def _hallucination(matrix: ClaimMatrix) -> Share:
    return _actual(matrix, lambda right, found: not right and not found)


def _self_knowledge(matrix: ClaimMatrix) -> Share:
    return _actual(matrix, lambda right, found: right and not found)


_NO, _TEXT = Asked(), Asked(claims=True, by_other=True)
_PLACE, _BOTH = Asked(claims=True, by_passage=True), Asked(claims=True, by_other=True, by_passage=True)

FIGURES: dict[FigureName, Figure] = {
    "precision": Figure(_TEXT, _NO, _precision),
    "recall": Figure(_NO, _TEXT, _recall),
    "f1": Figure(_TEXT, _TEXT, _recall),
    "claim_recall": Figure(_NO, _PLACE, _claim_recall),
    "context_precision": Figure(_NO, _PLACE, _context_precision),
    "context_utilization": Figure(_NO, _BOTH, _context_utilization),
    "noise_sensitivity_in_relevant": Figure(_BOTH, _PLACE, _noise_in_relevant, higher_is_better=False),
    "noise_sensitivity_in_irrelevant": Figure(_BOTH, _PLACE, _noise_in_irrelevant, higher_is_better=False),
    "faithfulness": Figure(_PLACE, _NO, _faithfulness),
    "hallucination": Figure(_BOTH, _NO, _hallucination, higher_is_better=False),
    "self_knowledge": Figure(_BOTH, _NO, _self_knowledge, higher_is_better=False),
}
