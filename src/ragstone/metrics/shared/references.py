"""Several accepted references: the best one counts."""

from collections.abc import Callable, Sequence
from typing import cast

from ragstone.case import TestCase
from ragstone.score import Score


def references(case: TestCase) -> tuple[str, ...]:
    """Return the expected output and the other accepted ones, `metadata["expected_outputs"]`."""
    others: object = case.metadata.get("expected_outputs")
    texts = (
        [text for text in cast("list[object]", others) if isinstance(text, str)]
        if isinstance(others, list)
        else []
    )
    return tuple(dict.fromkeys((case.text("expected_output"), *(text for text in texts if text.strip()))))


def best_reference(score: Callable[[str], Score], expected: Sequence[str]) -> Score:
    """Return the best score over the references; there must be one."""
    return max(map(score, expected), key=lambda found: found.value or 0.0)
