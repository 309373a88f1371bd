"""Context sufficiency: do the passages together hold what a right answer needs?

    score = 1 if the passages are sufficient, 0 if not; undecided where the judge cannot tell
    with k: 1 only if the passage that answers the main thing asked is among the first k

A score of 0 blames the retriever, whatever the output says. `metadata["rank"]` is the rank of the passage that answers
the main thing asked. `answer_acceptance` reads the same review: measured together, both cost one call. Source: Joren et
al., Sufficient Context, arXiv:2411.06037.
"""

from ragstone.errors import BadOption
from ragstone.metrics.base.metric import Metric, MetricContext, TestCase
from ragstone.metrics.shared.case_review import review_case
from ragstone.prompts import CaseReview, ReviewCase
from ragstone.score import Score, undecided_score


class ContextSufficiency(Metric):
    """Do the passages together hold what a right answer needs? One judge call.

    Attributes:
        k: the passage that answers the main thing asked must be among the first k; None for any rank.
    """

    needs = ("input", "retrieval_context")
    prompts = (ReviewCase,)
    output_form = "written"
    score_without_passages = 0.0

    threshold: float | None = 1.0
    k: int | None = None

    def __post_init__(self) -> None:
        """Reject invalid options."""
        super().__post_init__()
        if self.k is not None and self.k < 1:
            raise BadOption(f"{self.title}: k={self.k!r}: write 1 or more, or None for any rank")

    @property
    def title(self) -> str:
        """The name of the metric, with its cutoff."""
        return super().title if self.k is None else f"{super().title}@{self.k}"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the review of the case."""
        return self.score(await review_case(case, ctx))

    def score(self, review: CaseReview) -> Score:
        """Score a review. Pure."""
        metadata = {
            "context": review.context,
            "rank": review.rank,
            "deciding": list(review.deciding),
            "probability": review.sufficient_probability,
        }
        if review.context == "cannot_tell":
            return undecided_score("The judge cannot tell whether the passages are sufficient.", metadata)
        if review.context == "insufficient":
            return Score(0.0, "The passages lack what a right answer needs.", metadata)
        where = "" if review.rank is None else f"; passage {review.rank} answers the main thing asked"
        if self.k is not None and review.rank is not None and review.rank > self.k:
            return Score(0.0, f"The passages are sufficient{where}, below rank {self.k}.", metadata)
        return Score(1.0, f"The passages are sufficient{where}.", metadata)
