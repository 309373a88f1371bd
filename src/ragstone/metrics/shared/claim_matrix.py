"""The claim matrix: which claims follow from which texts. It is asked once; all RAGChecker measures are shares of it.

Two texts make claims, the actual and the expected output. Each claim follows, or does not, from the other text and
from each passage. Contradicted and not mentioned both count as not following. Source: RAGChecker, arXiv:2408.08067.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.shared.claims import BATCH, extract_claims, judge_claims, split_batches
from ragstone.prompts import LocateClaims

Passages = frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextClaims:
    """The claims of one text.

    Attributes:
        claims: the claims.
        by_other: which of them follow from the other text; empty if not asked.
        by_passage: the numbers, from 1, of the passages from which each follows; empty if not asked.
    """

    claims: tuple[str, ...] = ()
    by_other: tuple[bool, ...] = ()
    by_passage: tuple[Passages, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimMatrix:
    """The claims of both texts.

    Attributes:
        actual: claims of the actual output; the other text is the expected output.
        expected: claims of the expected output; the other text is the actual output.
        passages: how many passages were retrieved.
    """

    actual: TextClaims = TextClaims()
    expected: TextClaims = TextClaims()
    passages: int = 0

    @property
    def relevant(self) -> Passages:
        """The passages from which a claim of the expected output follows."""
        return frozenset[int]().union(*self.expected.by_passage)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimQuery:
    """The parts of the matrix that a measure needs for one text."""

    claims: bool = False
    by_other: bool = False
    by_passage: bool = False


async def build_claim_matrix(
    ctx: MetricContext, case: TestCase, actual: ClaimQuery, expected: ClaimQuery
) -> ClaimMatrix:
    """Build the matrix from the queries that are needed; answers to equal prompts of other metrics are shared."""
    ours, theirs = await asyncio.gather(
        _text_claims(ctx, case, "actual_output", "expected_output", actual),
        _text_claims(ctx, case, "expected_output", "actual_output", expected),
    )
    needs_passages = actual.by_passage or expected.by_passage
    return ClaimMatrix(actual=ours, expected=theirs, passages=len(case.passages()) if needs_passages else 0)


async def _text_claims(
    ctx: MetricContext, case: TestCase, field: str, other_field: str, query: ClaimQuery
) -> TextClaims:
    if not query.claims:
        return TextClaims()
    claims = await extract_claims(ctx, case.text(field), case.input)
    by_other, by_passage = await asyncio.gather(
        _entailed_by(ctx, claims, case.text(other_field)) if query.by_other else _no_answers(),
        _supporting_passages(ctx, claims, case.passages()) if query.by_passage else _no_answers(),
    )
    return TextClaims(claims=claims, by_other=tuple(by_other), by_passage=tuple(by_passage))


async def _no_answers() -> tuple[()]:
    return ()


async def _entailed_by(ctx: MetricContext, claims: tuple[str, ...], text: str) -> Sequence[bool]:
    return [verdict.verdict == "yes" for verdict in await judge_claims(ctx, claims, (text,))]


async def _supporting_passages(
    ctx: MetricContext, claims: tuple[str, ...], passages: tuple[str, ...]
) -> Sequence[Passages]:
    batches = split_batches(claims, BATCH)
    answers = await ctx.ask_all([LocateClaims(passages=passages, claims=batch) for batch in batches])
    return [frozenset(location.passages) for answer in answers for location in answer.verdicts]
