"""The claim matrix: which claims follow from which texts. It is asked once; all RAGChecker measures are shares of it.

Two texts make claims, the actual and the expected output. Each claim follows, or does not, from the other text and
from each passage. Contradicted and not mentioned both count as not following. Source: RAGChecker, arXiv:2408.08067.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product, zip_longest

from ragstone.errors import NotApplicable
from ragstone.metrics.base.metric import MetricContext, Score, TestCase
from ragstone.metrics.shared.claims import extract_claims, judge_claims, split_batches
from ragstone.prompts import ClaimLocation, LocateClaims

Passages = frozenset[int]
_NO_PASSAGE = Passages()


@dataclass(frozen=True, slots=True, kw_only=True)
class TextClaims:
    """The claims of one text.

    Attributes:
        claims: the claims.
        by_other: which of them follow from the other text, None where that is undecided; empty if not asked.
        by_passage: the numbers, from 1, of the passages from which each follows; empty if not asked.
        perhaps_by_passage: the numbers of those for which that is undecided; empty if none is.
    """

    claims: tuple[str, ...] = ()
    by_other: tuple[bool | None, ...] = ()
    by_passage: tuple[Passages, ...] = ()
    perhaps_by_passage: tuple[Passages, ...] = ()

    @property
    def undecided(self) -> frozenset[int]:
        """The places of the claims of which something is undecided."""
        from_other = {place for place, follows in enumerate(self.by_other) if follows is None}
        return frozenset(from_other | {place for place, found in enumerate(self.perhaps_by_passage) if found})

    def without_undecided(self) -> "TextClaims":
        """Return the claims of which everything is decided."""
        kept = [place for place in range(len(self.claims)) if place not in self.undecided]
        return TextClaims(
            claims=tuple(self.claims[place] for place in kept),
            by_other=tuple(self.by_other[place] for place in kept) if self.by_other else (),
            by_passage=tuple(self.by_passage[place] for place in kept) if self.by_passage else (),
        )

    def supposing(self, *, follows: bool, from_passages: bool) -> "TextClaims":
        """Return the claims with everything undecided decided in one way."""
        perhaps = self.perhaps_by_passage if from_passages else ()
        return TextClaims(
            claims=self.claims,
            by_other=tuple(follows if known is None else known for known in self.by_other),
            by_passage=tuple(
                found | possible
                for found, possible in zip_longest(self.by_passage, perhaps, fillvalue=_NO_PASSAGE)
            ),
        )


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


def score_matrix(matrix: ClaimMatrix, score: Callable[[ClaimMatrix], Score]) -> Score:
    """Score a matrix; what is undecided in it widens the bounds of the score.

    A share of claims is highest and lowest where all that is undecided of one kind is decided in the same way, so that
    the bounds are those of the sixteen ways to decide the four kinds.

    Raises:
        NotApplicable: `score` raised it for the whole matrix.
    """
    undecided = len(matrix.actual.undecided) + len(matrix.expected.undecided)
    if not undecided:
        return score(matrix)
    ways = [
        score(replace(matrix, actual=actual, expected=expected))
        for actual, expected in product(_ways(matrix.actual), _ways(matrix.expected))
    ]
    ends = [way.bounds for way in ways]
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    note = f"{undecided} claims are undecided."
    kept = replace(
        matrix, actual=matrix.actual.without_undecided(), expected=matrix.expected.without_undecided()
    )
    try:
        decided = score(kept)
    except NotApplicable:
        return replace(ways[0], value=None, reason=note, low=low, high=high)
    return replace(decided, reason=f"{decided.reason} {note}", low=low, high=high)


def _ways(side: TextClaims) -> list[TextClaims]:
    choices = product((False, True), repeat=2)
    return [side.supposing(follows=follows, from_passages=found) for follows, found in choices]


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
    other = (case.text(other_field),)
    verdicts, located = await asyncio.gather(
        judge_claims(ctx, claims, other, question=case.input, by_answer=True)
        if query.by_other
        else _no_answers(),
        _supporting_passages(ctx, claims, case) if query.by_passage else _no_answers(),
    )
    perhaps = tuple(frozenset(location.undecided) for location in located)
    return TextClaims(
        claims=claims,
        by_other=tuple(each.verdict == "yes" if each.is_decided else None for each in verdicts),
        by_passage=tuple(frozenset(location.passages) for location in located),
        perhaps_by_passage=perhaps if any(perhaps) else (),
    )


async def _no_answers() -> tuple[()]:
    return ()


async def _supporting_passages(
    ctx: MetricContext, claims: tuple[str, ...], case: TestCase
) -> Sequence[ClaimLocation]:
    passages = case.passages()
    if not passages:
        return [ClaimLocation(passages=())] * len(claims)
    ask = partial(LocateClaims, passages=passages, input=case.input)
    answers = await ctx.ask_all([ask(claims=batch) for batch in split_batches(claims)])
    return [location for answer in answers for location in answer.verdicts]
