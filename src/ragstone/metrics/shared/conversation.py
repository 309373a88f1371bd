"""The turns of a conversation as shown to a judge."""

from typing import cast

from ragstone.case import TestCase, Turn
from ragstone.errors import NotApplicable


def turn_texts(case: TestCase) -> tuple[str, ...]:
    """Return all turns, each with its role."""
    return tuple(map(str, _turns(case)))


def replies(case: TestCase) -> tuple[str, ...]:
    """Return the texts of the assistant's turns.

    Raises:
        NotApplicable: there is no assistant turn.
    """
    texts = tuple(turn.content for turn in _turns(case) if turn.role == "assistant")
    if not texts:
        raise NotApplicable("The conversation has no turn of the assistant: there is nothing to judge.")
    return texts


def _turns(case: TestCase) -> tuple[Turn, ...]:
    return cast("tuple[Turn, ...]", case.get("turns"))
