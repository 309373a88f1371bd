"""Claims, judged: asked in the same words by every metric, so that a run asks each of them once."""

from collections.abc import Sequence

from ragstone.engine.context import MetricContext
from ragstone.prompts import ExtractClaims, JudgeClaims
from ragstone.verdict import Verdict

BATCH = 20
"""Claims judged in one call, unless a metric's option says otherwise."""


async def extract_claims(ctx: MetricContext, text: str) -> tuple[str, ...]:
    """Return the factual claims that a text makes."""
    return (await ctx.ask(ExtractClaims(text=text))).claims


async def judge_claims(
    ctx: MetricContext,
    claims: tuple[str, ...],
    evidence: tuple[str, ...],
    *,
    source: tuple[str, ...] = (),
    batch_size: int = BATCH,
) -> tuple[Verdict, ...]:
    """Return one verdict on each claim by the evidence, asked in batches at the same time."""
    batches = split_batches(claims, batch_size)
    answers = await ctx.ask_all(
        [JudgeClaims(evidence_texts=evidence, claims=batch, source=source) for batch in batches]
    )
    return tuple(
        verdict for batch, answer in zip(batches, answers, strict=True) for verdict in answer.on(batch)
    )


def split_batches(claims: Sequence[str], size: int) -> list[tuple[str, ...]]:
    """Return the claims in groups of at most `size`."""
    return [tuple(claims[start : start + size]) for start in range(0, len(claims), size)]


def f_beta(precision: float, recall: float, beta: float = 1.0) -> float:
    """Return the weighted harmonic mean: recall weighs `beta` times as much as precision; 0 where both are 0."""
    weighted = beta * beta * precision + recall
    return (1 + beta * beta) * precision * recall / weighted if weighted else 0.0
