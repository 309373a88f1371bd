"""Answer correctness: does the actual output say what the expected output says, in facts and in meaning?

    score = w1 * F(TP, FP, FN) + w2 * max(0, cos(actual output, expected output)),  (w1, w2) = weights / their sum

    TP  claims of the actual output that follow from the expected output
    FP  claims of the actual output that the expected output contradicts
    FN  claims of the expected output that do not follow from the actual output
    F   F-beta of precision, TP / (TP + FP), and recall, the share of the claims of the expected output that are no FN

Claims of the actual output that the expected output does not mention do not count: a fuller answer is no worse, and
without TP and FP precision is 1. Where neither output makes a claim, F is 1: there is nothing to say. Where one makes
none, F is 0. Of several accepted references the best counts. Source: Ragas, answer correctness, which counts claims
that are not mentioned as FP and has the recall TP / (TP + FN); `compat="ragas"` gives that number.
"""

import asyncio
from collections.abc import Sequence
from typing import Literal

from ragstone.errors import BadOption
from ragstone.metrics.base.metric import Metric, MetricContext, TestCase
from ragstone.metrics.base.score import findings, list_examples, verdict_dicts
from ragstone.metrics.shared.claims import compare_claims, f_beta
from ragstone.prompts import ExtractClaims, JudgeClaims
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict


class AnswerCorrectness(Metric):
    """Does the output say what the expected output says? Four judge calls, two at a time, and embeddings.

    Each further accepted reference takes three calls more.

    Attributes:
        weights: weights of the facts and of the similarity.
        beta: weight of recall relative to the weight of precision.
        embedder: spec of the embedder: `local`, `openai:text-embedding-3-small` …
        compat: `ragas` for the number of Ragas, to which a fuller answer is a worse one.
    """

    needs = ("input", "actual_output", "expected_output")
    prompts = (ExtractClaims, JudgeClaims)
    output_form = "prose"
    any_reference = True

    weights: tuple[float, float] = (0.75, 0.25)
    beta: float = 1.0
    embedder: str = "local"
    compat: Literal["ragas"] | None = None

    def __post_init__(self) -> None:
        """Reject invalid options."""
        super().__post_init__()
        if min(self.weights) < 0 or sum(self.weights) <= 0:
            raise BadOption(
                f"{self.title}: weights={self.weights!r}: write two numbers of 0 or more, not both 0"
            )
        if self.beta <= 0:
            raise BadOption(f"{self.title}: beta={self.beta!r}: write a number above 0")

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the claims of both outputs, then which follow from the other; compare their embeddings."""
        actual, expected = case.text("actual_output"), case.text("expected_output")
        actual_verdicts, expected_verdicts, similarity = await asyncio.gather(
            compare_claims(ctx, case.input, actual, expected),
            compare_claims(ctx, case.input, expected, actual),
            self._similarity(ctx, actual, expected),
        )
        return self.score(actual_verdicts, expected_verdicts, similarity)

    async def _similarity(self, ctx: MetricContext, actual: str, expected: str) -> float:
        if not self.weights[1]:
            return 0.0
        vectors = await ctx.embed([actual, expected], self.embedder)
        return float(vectors[0] @ vectors[1])

    @bounded()
    def score(self, said: Sequence[Verdict], wanted: Sequence[Verdict], similarity: float) -> Score:
        """Score the verdicts on the claims of the actual and of the expected output. Pure."""
        right = sum(verdict.verdict == "yes" for verdict in said)
        wrong = [
            verdict
            for verdict in said
            if verdict.verdict == "no" or (self.compat and verdict.verdict == "idk")
        ]
        missing = [verdict for verdict in wanted if verdict.verdict != "yes"]
        facts = self._facts(right, len(wrong), len(missing), (len(said), len(wanted)))
        clamped = min(1.0, max(0.0, similarity))
        facts_weight, similarity_weight = self.weights
        reason = f"{right} claims are right, {len(wrong)} wrong, {len(missing)} missing."
        metadata = {
            "true_positives": right,
            "false_positives": len(wrong),
            "false_negatives": len(missing),
            "f_score": facts,
            "similarity": clamped if similarity_weight else None,
            "verdicts": verdict_dicts(said),
            "expected_verdicts": verdict_dicts(wanted),
        }
        reason += list_examples("Wrong", wrong) + list_examples("Missing", missing)
        value = (facts_weight * facts + similarity_weight * clamped) / (facts_weight + similarity_weight)
        return Score(value, reason, metadata, findings([*said, *missing]))

    def _facts(self, right: int, wrong: int, missing: int, claims: tuple[int, int]) -> float:
        """Return F of the claims of the actual and of the expected output, whose numbers are `claims`."""
        said, wanted = claims
        if not said and not wanted:
            return 1.0
        if not said or not wanted:
            return 0.0
        if self.compat:
            return f_beta(_share(right, right + wrong), _share(right, right + missing), self.beta)
        return f_beta(_share(right, right + wrong, 1.0), _share(wanted - missing, wanted), self.beta)


def _share(part: int, whole: int, of_nothing: float = 0.0) -> float:
    return part / whole if whole else of_nothing
