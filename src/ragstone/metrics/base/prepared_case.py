"""A test case with its outputs in the form that a metric reads (`ragstone.text.preparation`)."""

from collections.abc import Collection
from typing import Any

from ragstone.case import TestCase, Turn
from ragstone.text.preparation import OutputForm, needs_preparation, prepared


def prepared_case(
    case: TestCase, form: OutputForm, fields: Collection[str]
) -> tuple[TestCase, tuple[str, ...]]:
    """Return a test case with its outputs in a form, and what was changed: nothing in most.

    The actual output and the assistant's turns are read without thoughts; the expected output only as prose.

    Args:
        case: the test case.
        form: the form.
        fields: the fields that the metric needs; others are left as they are.
    """
    update: dict[str, Any] = {}
    changes: list[str] = []
    for field, prefix in (("actual_output", ""), ("expected_output", "expected output: ")):
        text = getattr(case, field)
        if text and field in fields and (not prefix or form == "prose") and needs_preparation(text, form):
            result = prepared(text, form)
            if result.changes:
                update[field] = result.text
                changes += (prefix + change for change in result.changes)
    if case.turns and "turns" in fields and form != "written":
        turns = tuple(map(without_thoughts, case.turns))
        if turns != case.turns:
            update["turns"] = turns
            changes.append("thoughts removed from turns")
    return (case.model_copy(update=update) if update else case), tuple(changes)


def without_thoughts(turn: Turn) -> Turn:
    """Return a turn of the assistant without its thoughts; any other turn unchanged."""
    if turn.role != "assistant" or not needs_preparation(turn.content, "answer"):
        return turn
    return turn.model_copy(update={"content": prepared(turn.content, "answer").text})
