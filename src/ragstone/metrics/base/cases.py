"""A test case as a metric reads it: outputs in the metric's form, and one accepted reference at a time."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, cast

from ragstone.case import TestCase, Turn
from ragstone.errors import NotApplicable
from ragstone.score import Score
from ragstone.text.preparation import OutputForm, needs_preparation, prepared


def prepared_case(
    case: TestCase, form: OutputForm, fields: Collection[str]
) -> tuple[TestCase, tuple[str, ...]]:
    """Return a test case with its outputs in a form, and what was changed: nothing in most.

    The actual output and the assistant's turns are read without thoughts; the expected output only as prose.
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


def references(case: TestCase) -> tuple[str, ...]:
    """Return the expected output and the other accepted ones, `metadata["expected_outputs"]`."""
    others: object = case.metadata.get("expected_outputs")
    texts = (
        [text for text in cast("list[object]", others) if isinstance(text, str)]
        if isinstance(others, list)
        else []
    )
    return tuple(dict.fromkeys((case.text("expected_output"), *(text for text in texts if text.strip()))))


async def best_over_references(
    assess: Callable[[TestCase], Awaitable[Score]], case: TestCase, *, higher_is_better: bool
) -> Score:
    """Return the best score of a test case over its accepted references, which are compared at the same time.

    Raises:
        NotApplicable: no reference gives anything to measure.
    """
    texts = references(case)
    if len(texts) == 1:
        return await assess(case)
    cases = [case.model_copy(update={"expected_output": text}) for text in texts]
    outcomes = await asyncio.gather(*(_score_or_problem(assess, each) for each in cases))
    scores = [
        replace(outcome, metadata={**outcome.metadata, "reference": text})
        for text, outcome in zip(texts, outcomes, strict=True)
        if isinstance(outcome, Score)
    ]
    if not scores:
        raise cast("NotApplicable", outcomes[0])
    return best_score(scores, higher_is_better=higher_is_better)


def best_score(scores: Sequence[Score], *, higher_is_better: bool) -> Score:
    """Return the best of several scores, with the bounds of the best; one that is undecided may yet be the best."""
    pick = max if higher_is_better else min
    best = pick(
        scores, key=lambda score: score.bounds[not higher_is_better] if score.value is None else score.value
    )
    lows, highs = zip(*(score.bounds for score in scores), strict=True)
    return replace(best, low=pick(lows), high=pick(highs))


async def _score_or_problem(
    assess: Callable[[TestCase], Awaitable[Score]], case: TestCase
) -> Score | NotApplicable:
    try:
        return await assess(case)
    except NotApplicable as problem:
        return problem
