"""Semantic similarity: does the actual output mean what the expected output means?

    score = max(0, cos(actual output, expected output)) of their embeddings, or what a cross-encoder says of the pair

With `binary` the score is 1 at or above the threshold, else 0. Source: Ragas, semantic similarity; Risch et al.,
arXiv:2108.06130.
"""

from typing import Any

from ragstone.errors import BadOption
from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.plugins import find
from ragstone.result import TOLERANCE


class SemanticSimilarity(Metric):
    """Does the actual output mean what the expected output means? No judge call; embeddings or a cross-encoder.

    Attributes:
        embedder: spec of the embedder: `local`, `openai:text-embedding-3-small` …
        cross_encoder: `package.module:name` of an object with `predict(pairs)`, such as a CrossEncoder of
            sentence-transformers, that returns a number from 0 to 1 for each pair; it replaces the embedder.
        binary: score 1 at or above the threshold, else 0.
    """

    needs = ("input", "actual_output", "expected_output")
    output_form = "prose"
    any_reference = True

    embedder: str = "local"
    cross_encoder: str | None = None
    binary: bool = False

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Compare the two texts."""
        pair = (case.text("actual_output"), case.text("expected_output"))
        if self.cross_encoder is not None:
            encoder: Any = find("cross_encoder", self.cross_encoder, {})
            return self.score(float(encoder.predict([pair])[0]))
        vectors = await ctx.embed(pair, self.embedder)
        return self.score(float(vectors[0] @ vectors[1]))

    def score(self, similarity: float) -> Score:
        """Score a similarity. Pure.

        Raises:
            BadOption: a cross-encoder gave a number outside [0, 1].
        """
        if self.cross_encoder is not None and not 0 <= similarity <= 1:
            raise BadOption(
                f"{self.cross_encoder} gave {similarity:.3f}, not a number in [0, 1]: use one that ends in a sigmoid"
            )
        value = min(1.0, max(0.0, similarity))
        reason = f"The actual and the expected output have a similarity of {value:.2f}."
        metadata = {"similarity": similarity, "by": self.cross_encoder or self.embedder}
        if self.binary:
            value = 1.0 if value >= self.cutoff - TOLERANCE else 0.0
        return Score(value, reason, metadata)
