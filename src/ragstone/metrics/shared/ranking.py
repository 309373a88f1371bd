"""Average precision of a ranking of passages, some of them useful."""

from collections.abc import Sequence
from math import inf
from typing import Literal

from ragstone.metrics.base.metric import Metric, MetricContext, TestCase
from ragstone.metrics.base.score import findings, list_examples, verdict_dicts
from ragstone.prompts import JudgeUsefulness
from ragstone.score import Bounds, Score, bounded
from ragstone.verdict import Verdict


def average_precision(useful: Sequence[bool]) -> float:
    """Return the average precision of a ranking: the mean, over the useful ranks, of the precision up to there."""
    hits, total = 0, 0.0
    for rank, is_useful in enumerate(useful, 1):
        if is_useful:
            hits += 1
            total += hits / rank
    return total / hits if hits else 0.0


def average_precision_bounds(verdicts: Sequence[Verdict]) -> Bounds:
    """Return the least and the greatest average precision that the undecided verdicts allow.

    Average precision is not monotone: a further useful passage at a low rank lowers it. For each number of useful ranks
    so far, the least and the greatest sum of precisions is carried from rank to rank.
    """
    sums: dict[int, Bounds] = {0: (0.0, 0.0)}
    for rank, verdict in enumerate(verdicts, 1):
        extended: dict[int, Bounds] = {}
        for hits, (low, high) in sums.items():
            options = (True, False) if verdict.verdict == "undecided" else (verdict.verdict == "yes",)
            for is_useful in options:
                reached, gain = (hits + 1, (hits + 1) / rank) if is_useful else (hits, 0.0)
                least, greatest = extended.get(reached, (inf, -inf))
                extended[reached] = min(least, low + gain), max(greatest, high + gain)
        sums = extended
    ends = [(low / hits, high / hits) if hits else (0.0, 0.0) for hits, (low, high) in sums.items()]
    return min(low for low, _ in ends), max(high for _, high in ends)


class RankingMetric(Metric):
    """Base of the metrics of a ranking. One judge call.

    Attributes:
        reference: the text that a passage must be useful for; `actual_output` where no expected output exists.
    """

    needs = ("input", "expected_output", "retrieval_context")
    prompts = (JudgeUsefulness,)
    score_without_passages = 0.0
    output_form = "prose"

    reference: Literal["expected_output", "actual_output"] = "expected_output"

    @property
    def fields_needed(self) -> tuple[str, ...]:
        """The fields needed, including the reference."""
        return ("input", self.reference, "retrieval_context")

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask which passages are useful, in rank order."""
        passages = case.passages()
        answer = await ctx.ask(
            JudgeUsefulness(passages=passages, input=case.input, expected_output=case.text(self.reference))
        )
        verdicts = tuple(
            Verdict(
                text,
                decision.verdict,
                decision.reason,
                rank,
                decision.evidence.span,
                decision.evidence.probability,
            )
            for rank, (text, decision) in enumerate(zip(passages, answer.verdicts, strict=True), 1)
        )
        return self.score(verdicts)

    @bounded(extremes=average_precision_bounds)
    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts on the passages, in rank order. Pure."""
        useful = [verdict.verdict == "yes" for verdict in verdicts]
        metadata = {
            "verdicts": verdict_dicts(verdicts),
            "context_count": len(useful),
            "relevant_count": sum(useful),
        }
        return Score(
            average_precision(useful),
            _reason(useful, verdicts, self.reference.replace("_", " ")),
            metadata,
            findings(verdicts),
        )


def _reason(useful: Sequence[bool], verdicts: Sequence[Verdict], reference: str) -> str:
    ranks = [rank for rank, is_useful in enumerate(useful, 1) if is_useful]
    if not ranks:
        return f"None of {len(useful)} passages is useful for the {reference}."
    which = ", ".join(map(str, ranks))
    text = f"{len(ranks)} of {len(useful)} passages are useful, at rank {which}."
    misranked = [verdict for verdict in verdicts[: ranks[-1]] if verdict.verdict != "yes"]
    return text + list_examples("Ranked above useful ones without being useful", misranked)
