"""Context relevance: does each retrieved passage give what the input asks for?

    score = mean over the passages of rating / 3, each rated 0 to 3 by itself

A low score blames the retriever: it fetched passages that do not help. Source: TruLens, RAG triad.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ragstone.case import TestCase
from ragstone.judges._inquiry import Inquiry
from ragstone.metrics._base import Metric
from ragstone.metrics._rated import Rated, mean_rating
from ragstone.metrics._score import Score
from ragstone.prompts import RatePassage


@dataclass(frozen=True, kw_only=True, repr=False)
class ContextRelevance(Metric):
    """Does each retrieved passage give what the input asks for? One judge call a passage, at the same time."""

    needs = ("input", "retrieval_context")
    prompts = (RatePassage,)

    async def assess(self, case: TestCase, inquiry: Inquiry) -> Score:
        """Have each passage rated."""
        passages = case.passages()
        ratings = await inquiry.ask_all([RatePassage(passage=text, input=case.input) for text in passages])
        pairs = enumerate(zip(passages, ratings, strict=True), 1)
        return self.score([Rated.of(text, rating, number) for number, (text, rating) in pairs])

    def score(self, rated: Sequence[Rated]) -> Score:
        """Score the ratings of the passages. Pure."""
        return mean_rating(rated, 3, "passage")
