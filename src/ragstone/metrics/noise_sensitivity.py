"""Noise sensitivity: how much of the actual output is wrong because of a passage it was given? Lower is better.

    score = wrong claims that follow from a relevant passage / all claims of the actual output   (mode="relevant")
    score = wrong claims that follow from irrelevant passages alone / all claims                  (mode="irrelevant")

A claim is wrong where it does not follow from the expected output; a passage is relevant where a claim of the expected
output follows from it. A high score blames the generator: it repeats what it should have passed over. An output
without claims cannot be measured. Source: RAGChecker, arXiv:2408.08067; Ragas, noise sensitivity.
"""

from typing import Literal

from ragstone.errors import NotApplicable
from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.shared.claim_figures import FIGURES, FigureName
from ragstone.metrics.shared.claim_matrix import ClaimMatrix, build_claim_matrix, score_matrix
from ragstone.prompts import ExtractClaims, JudgeClaims, LocateClaims


class NoiseSensitivity(Metric):
    """How much of the output is wrong because of a passage? Lower is better. Five judge calls, however many passages.

    Attributes:
        mode: count wrong claims that follow from `relevant` passages, or from `irrelevant` ones alone.
    """

    needs = ("input", "actual_output", "expected_output", "retrieval_context")
    prompts = (ExtractClaims, JudgeClaims, LocateClaims)
    output_form = "prose"
    any_reference = True
    higher_is_better = False

    mode: Literal["relevant", "irrelevant"] = "relevant"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the parts of the claim matrix that are needed."""
        figure = FIGURES[self._figure]
        return score_matrix(await build_claim_matrix(ctx, case, figure.actual, figure.expected), self.score)

    def score(self, matrix: ClaimMatrix) -> Score:
        """Score the matrix of claims. Pure.

        Raises:
            NotApplicable: the actual output makes no claim.
        """
        found = FIGURES[self._figure].counted(matrix)
        if not found.whole:
            raise NotApplicable(f"{self.title} is a share of the {found.of}, and there are none.")
        reason = f"{found.part} of {found.whole} claims are wrong and come from {self.mode} passages."
        metadata = {
            "claims": list(matrix.actual.claims),
            "right": list(matrix.actual.by_other),
            "passages": [sorted(found) for found in matrix.actual.by_passage],
            "relevant_passages": sorted(matrix.relevant),
        }
        return Score(found.part / found.whole, reason, metadata)

    @property
    def _figure(self) -> FigureName:
        return (
            "noise_sensitivity_in_relevant" if self.mode == "relevant" else "noise_sensitivity_in_irrelevant"
        )
