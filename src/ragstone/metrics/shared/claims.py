"""Claims and their verdicts: every metric uses the same prompts, so that a run asks each of them once."""

from collections.abc import Sequence
from functools import partial
from typing import TypeVar

from ragstone.engine.context import MetricContext
from ragstone.prompts import Decision, ExtractClaims, JudgeClaims
from ragstone.verdict import Verdict

T = TypeVar("T")
BATCH = 20
"""Claims judged in one call, unless a metric's option says otherwise."""


async def extract_claims(ctx: MetricContext, text: str, question: str = "") -> tuple[str, ...]:
    """Return the factual claims of a text; the question that it answers supplies context that the text omits."""
    return (await ctx.ask(ExtractClaims(input=question, text=text))).claims


async def judge_claims(
    ctx: MetricContext,
    claims: tuple[str, ...],
    evidence: tuple[str, ...],
    *,
    source: tuple[str, ...] = (),
    passages: Sequence[int | None] = (),
    batch_size: int = BATCH,
    question: str = "",
    by_answer: bool = False,
) -> tuple[Verdict, ...]:
    """Return one verdict on each claim by the evidence, asked in batches at the same time.

    Args:
        ctx: the context of the measurement.
        claims: the claims to judge.
        evidence: passages, or facts taken from them, to judge by.
        source: the passages that facts were taken from.
        passages: number of the passage that each piece of evidence stands for; its own number where empty.
        batch_size: most claims in one call.
        question: the input of the test case, which is shown beside the claims.
        by_answer: whether the evidence is itself an answer to the question, such as a reference.
    """
    batches = split_batches(claims, batch_size)
    ask = partial(JudgeClaims, evidence_texts=evidence, input=question, source=source, by_answer=by_answer)
    answers = await ctx.ask_all([ask(claims=batch) for batch in batches])
    return tuple(
        _with_fact_passage(decision, passages).on(claim)
        for batch, answer in zip(batches, answers, strict=True)
        for claim, decision in zip(batch, answer.verdicts, strict=True)
    )


async def compare_claims(ctx: MetricContext, question: str, text: str, other: str) -> tuple[Verdict, ...]:
    """Return one verdict on each claim of an answer by another answer to the same question."""
    claims = await extract_claims(ctx, text, question)
    return await judge_claims(ctx, claims, (other,), question=question, by_answer=True)


def _with_fact_passage(decision: Decision, passages: Sequence[int | None]) -> Decision:
    """Return a decision with the number of a fact replaced by the number of the fact's passage."""
    if decision.passage is None or not passages:
        return decision
    return decision.model_copy(update={"passage": passages[decision.passage - 1]})


def split_batches(items: Sequence[T], size: int = BATCH) -> list[tuple[T, ...]]:
    """Return claims, or what else is judged, in groups of at most `size`."""
    return [tuple(items[start : start + size]) for start in range(0, len(items), size)]


def f_beta(precision: float, recall: float, beta: float = 1.0) -> float:
    """Return the weighted harmonic mean: recall weighs `beta` times as much as precision; 0 where both are 0."""
    weighted = beta * beta * precision + recall
    return (1 + beta * beta) * precision * recall / weighted if weighted else 0.0
