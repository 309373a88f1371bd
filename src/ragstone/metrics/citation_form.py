"""Citation form: do the citation markers of the actual output point at passages that exist? No judge.

    score = markers whose number is that of a retrieved passage / all markers
    label = valid, partly_valid or invalid: all, some or none of them

Markers are [2], [1, 3], [1-3], [^1], [doc1], (Source 2), 【4:0†source】 and the like. An output without a marker cannot
be measured. Whether the passages support what is said is another question. Source: ALCE, arXiv:2305.14627.
"""

from collections.abc import Sequence

from ragstone.errors import NotApplicable
from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.shared.citations import cited_numbers


class CitationForm(Metric):
    """Do the citation markers of the output point at passages that exist? No judge call."""

    needs = ("actual_output", "retrieval_context")
    categories = ("valid", "partly_valid", "invalid")

    threshold: float = 1.0

    def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Look up each marker."""
        return self.score(cited_numbers(case.text("actual_output")), len(case.passages()))

    def score(self, numbers: Sequence[int], passages: int) -> Score:
        """Score the numbers of the markers. Pure.

        Raises:
            NotApplicable: there is no marker.
        """
        if not numbers:
            raise NotApplicable(
                "The actual output has no citation marker such as [1]: there is nothing to check."
            )
        wrong = [number for number in numbers if not 1 <= number <= passages]
        reason = f"{len(numbers) - len(wrong)} of {len(numbers)} citation markers point at one of {passages} passages."
        if wrong:
            reason += f" Out of range: {', '.join(f'[{number}]' for number in dict.fromkeys(wrong))}."
        metadata = {"cited": list(numbers), "out_of_range": wrong, "passages": passages}
        label = "valid" if not wrong else "invalid" if len(wrong) == len(numbers) else "partly_valid"
        return Score(1 - len(wrong) / len(numbers), reason, metadata, label=label)
