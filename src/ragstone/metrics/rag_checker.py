"""RAGChecker: eleven figures of one matrix of claims, which says whether retriever or generator is at fault.

    score = the share that `figure` names; R claims of the actual output, A claims of the expected output, P passages

    overall    precision          R that follow from the expected output / R
               recall             A that follow from the actual output / A
               f1                 harmonic mean of the two
    retriever  claim_recall       A that follow from a passage / A
               context_precision  relevant P / P; a passage is relevant where a claim of A follows from it
    generator  faithfulness       R that follow from a passage / R
               context_utilization             A that follow from a passage and from the actual output / from a passage
               noise_sensitivity_in_relevant   wrong R that follow from a relevant passage / R; lower is better
               noise_sensitivity_in_irrelevant wrong R that follow from irrelevant passages alone / R; lower is better
               hallucination      wrong R that follow from no passage / R; lower is better
               self_knowledge     right R that follow from no passage / R; lower is better

faithfulness + hallucination + self_knowledge = 1. A share of nothing is not a number: such a test case is skipped with
the reason. Source: RAGChecker, arXiv:2408.08067, section 3.
"""

from dataclasses import replace
from typing import Any

from ragstone.errors import NotApplicable
from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.base.score import nothing_retrieved
from ragstone.metrics.shared.claim_figures import FIGURES, CountedShare, FigureName
from ragstone.metrics.shared.claim_matrix import ClaimMatrix, TextClaims, build_claim_matrix, score_matrix
from ragstone.metrics.shared.claims import f_beta
from ragstone.prompts import ExtractClaims, JudgeClaims, LocateClaims


class RagChecker(Metric):
    """One of RAGChecker's eleven figures. All of them together take six judge calls a test case.

    Attributes:
        figure: name of the figure; see the formula.
    """

    needs = ("input", "actual_output", "expected_output", "retrieval_context")
    prompts = (ExtractClaims, JudgeClaims, LocateClaims)
    output_form = "prose"
    any_reference = True

    figure: FigureName = "f1"

    @property
    def higher_is_better(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]  (depends on an option)
        """Whether a higher figure is better."""
        return FIGURES[self.figure].higher_is_better

    @property
    def title(self) -> str:
        """The figure's name, with its source in brackets."""
        return f"{self.figure.replace('_', ' ')} [RAGChecker]"

    @property
    def fields_needed(self) -> tuple[str, ...]:
        """The fields that this figure is counted from."""
        figure = FIGURES[self.figure]
        compares_outputs = figure.actual.by_other or figure.expected.by_other
        needed = {
            "input": True,
            "actual_output": figure.actual.claims or compares_outputs,
            "expected_output": figure.expected.claims or compares_outputs,
            "retrieval_context": figure.actual.by_passage or figure.expected.by_passage,
        }
        return tuple(field for field in self.needs if needed[field])

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the part of the matrix that the figure is counted from."""
        figure = FIGURES[self.figure]
        if self.figure == "context_precision" and not case.passages():
            return nothing_retrieved(0.0)
        matrix = await build_claim_matrix(ctx, case, figure.actual, figure.expected)
        scored = score_matrix(matrix, self.score)
        counted = {} if scored.value is None else scored.metadata
        return replace(scored, metadata={**counted, **_all_claims(matrix)})

    def score(self, matrix: ClaimMatrix) -> Score:
        """Score the matrix. Pure.

        Raises:
            NotApplicable: there is nothing to take a share of.
        """
        share = FIGURES[self.figure].counted(matrix)
        if not share.whole:
            raise NotApplicable(f"{self.title} is a share of the {share.of}, and there are none.")
        metadata = _all_claims(matrix)
        if self.figure == "f1":
            precision = FIGURES["precision"].counted(matrix)
            value = f_beta(_value(precision), _value(share))
            reason = f"Precision is {_fraction_text(precision)}; recall is {_fraction_text(share)}."
            return Score(value, reason, {**metadata, "precision": _value(precision), "recall": _value(share)})
        return Score(
            _value(share),
            f"It is {_fraction_text(share)}.",
            {**metadata, "count": share.part, "of": share.whole},
        )


def _value(share: CountedShare) -> float:
    """Return the share, or 0 if the whole is empty, which is used only where recall is 0 too."""
    return share.part / share.whole if share.whole else 0.0


def _fraction_text(share: CountedShare) -> str:
    return f"{share.part} of {share.whole} {share.of}"


def _all_claims(matrix: ClaimMatrix) -> dict[str, Any]:
    return {"claims": _claim_rows(matrix.actual), "expected_claims": _claim_rows(matrix.expected)}


def _claim_rows(side: TextClaims) -> list[dict[str, Any]]:
    """Return what is known of each claim: `supported` is None, and `undecided` lists passages, where it is not."""
    rows: list[dict[str, Any]] = [{"claim": claim} for claim in side.claims]
    for row, follows in zip(rows, side.by_other, strict=False):
        row["supported"] = follows
    for row, passages in zip(rows, side.by_passage, strict=False):
        row["passages"] = sorted(passages)
    for row, passages in zip(rows, side.perhaps_by_passage, strict=False):
        row["undecided"] = sorted(passages)
    return rows
