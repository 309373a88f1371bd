"""Several accepted references: each is compared, and the best one counts."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import cast

from ragstone.case import TestCase
from ragstone.errors import NotApplicable
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


async def best_over_references(
    assess: Callable[[TestCase], Awaitable[Score]], case: TestCase, *, higher_is_better: bool
) -> Score:
    """Return the best score of a test case over its accepted references, which are compared at the same time.

    Args:
        assess: scores the test case against its expected output.
        case: the test case; it has an expected output.
        higher_is_better: whether the highest score is the best one.

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
