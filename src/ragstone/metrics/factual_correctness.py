"""Factual correctness: how much of the actual output is right, and how much of the expected output is in it?

    score = P, claims of the actual output: supported / (supported + contradicted)             (mode="precision")
    score = R, claims of the expected output that the actual output supports / all of them     (mode="recall")
    score = (1 + beta^2) P R / (beta^2 P + R)                                                   (mode="f1")

Claims of the actual output that the expected output does not mention do not count: a fuller answer is no worse. In F1,
P is 1 where no claim is supported or contradicted. Each direction is counted on its own text. Ragas 0.4.3 counts
claims that are not mentioned as wrong and mixes the directions: its recall divides supported claims of the *actual*
output by themselves plus the unsupported claims of the *expected* one; `compat="ragas"` gives that number. A share of
no claims is not a number: such a test case is skipped. Of several accepted references the best counts. Source: Ragas,
factual correctness; Min et al., arXiv:2305.14251.
"""

import asyncio
from collections.abc import Sequence
from typing import Literal

from ragstone.errors import BadOption, NotApplicable
from ragstone.metrics.base.metric import Metric, MetricContext, TestCase
from ragstone.metrics.base.score import findings, list_examples, verdict_dicts
from ragstone.metrics.shared.claims import compare_claims, f_beta
from ragstone.prompts import ExtractClaims, JudgeClaims
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict


class FactualCorrectness(Metric):
    """How much of the output is right, and of the expected output in it? Two judge calls a direction.

    Attributes:
        mode: `precision`, `recall`, or `f1` of both.
        beta: weight of recall relative to the weight of precision.
        compat: `ragas` for the number of Ragas 0.4.3, with its wrong claims, mixed directions and two decimals.
    """

    needs = ("input", "actual_output", "expected_output")
    prompts = (ExtractClaims, JudgeClaims)
    output_form = "prose"
    any_reference = True

    mode: Literal["precision", "recall", "f1"] = "f1"
    beta: float = 1.0
    compat: Literal["ragas"] | None = None

    def __post_init__(self) -> None:
        """Reject invalid options."""
        super().__post_init__()
        if self.beta <= 0:
            raise BadOption(f"{self.title}: beta={self.beta!r}: write a number above 0")

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the claims of each side that the mode needs, then whether the other side supports them."""
        actual, expected = case.text("actual_output"), case.text("expected_output")
        actual_verdicts, expected_verdicts = await asyncio.gather(
            compare_claims(ctx, case.input, actual, expected) if self._uses("precision") else _no_claims(),
            compare_claims(ctx, case.input, expected, actual) if self._uses("recall") else _no_claims(),
        )
        return self.score(actual_verdicts, expected_verdicts)

    @bounded()
    def score(self, said: Sequence[Verdict], wanted: Sequence[Verdict]) -> Score:
        """Score the verdicts on the claims of the actual and of the expected output. Pure.

        Raises:
            NotApplicable: the mode is a share of claims, and there are none.
        """
        right = sum(verdict.verdict == "yes" for verdict in said)
        wrong = [
            verdict
            for verdict in said
            if verdict.verdict == "no" or (self.compat and verdict.verdict == "idk")
        ]
        missing = [verdict for verdict in wanted if verdict.verdict != "yes"]
        covered, counted = len(wanted) - len(missing), right + len(wrong)
        metadata = {
            "verdicts": verdict_dicts(said),
            "expected_verdicts": verdict_dicts(wanted),
        }
        if self.compat == "ragas":
            value = round(self._ragas_value(right, len(wrong), len(missing)), 2)
        else:
            value = self._value(right, counted, covered, len(wanted))
        parts = [f"{right} of {counted} claims are right"] if self._uses("precision") else []
        parts += [f"{covered} of {len(wanted)} expected claims are covered"] if self._uses("recall") else []
        reason = (
            f"{'; '.join(parts)}." + list_examples("Not right", wrong) + list_examples("Missing", missing)
        )
        return Score(value, reason, metadata, findings([*said, *missing]))

    def _uses(self, direction: str) -> bool:
        return self.mode in (direction, "f1") or (self.compat == "ragas" and self.mode == "recall")

    def _value(self, right: int, actual: int, covered: int, expected: int) -> float:
        if self.mode == "precision":
            return right / _require_claims(
                actual, "The actual output", " on which the expected output decides"
            )
        recall = covered / _require_claims(expected, "The expected output")
        if self.mode == "recall":
            return recall
        return f_beta(right / actual if actual else 1.0, recall, self.beta)  # nothing said: recall is 0

    def _ragas_value(self, right: int, wrong: int, missing: int) -> float:
        precision, recall = right / (right + wrong + 1e-8), right / (right + missing + 1e-8)
        if self.mode == "f1":
            return f_beta(precision, recall, self.beta)
        return precision if self.mode == "precision" else recall


def _require_claims(claim_count: int, text: str, which: str = "") -> int:
    if not claim_count:
        raise NotApplicable(f"{text} makes no claim{which}, so there is no share to compute.")
    return claim_count


async def _no_claims() -> tuple[()]:
    return ()
