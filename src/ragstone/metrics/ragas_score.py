"""Ragas score: faithfulness, answer relevancy, context precision and context recall as one number.

    score = 4 / (1 / faithfulness + 1 / answer relevancy + 1 / context precision + 1 / context recall); 0 where one is 0

The harmonic mean is pulled down by the weakest part. The parts stand in the metadata: look at them first. In a run
that measures them too nothing is asked twice. Source: RAGAS, arXiv:2309.15217, and its first releases.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.base.parse import parse
from ragstone.prompts import (
    AttributeStatements,
    ExtractClaims,
    GenerateQuestions,
    JudgeClaims,
    JudgeUsefulness,
)


class RagasScore(Metric):
    """Four metrics as one number. Five judge calls, none where the parts are measured too; and embeddings.

    Attributes:
        embedder: spec of the embedder: `local`, `openai:text-embedding-3-small` …
    """

    needs = ("input", "actual_output", "expected_output", "retrieval_context")
    prompts = (AttributeStatements, ExtractClaims, GenerateQuestions, JudgeClaims, JudgeUsefulness)
    output_form = "prose"

    embedder: str = "local"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Measure the parts at the same time."""
        parts = {
            "faithfulness": "faithfulness",
            "answer_relevancy": f"semantic_answer_relevancy(embedder={self.embedder!r})",
            "context_precision": "contextual_precision",
            "context_recall": "contextual_recall",
        }
        scores = await asyncio.gather(*(parse(part).run_assess(case, ctx) for part in parts.values()))
        lows, highs = zip(*(score.bounds for score in scores), strict=True)
        low, high = (self.score(dict(zip(parts, ends, strict=True))) for ends in (lows, highs))
        values = {name: score.value for name, score in zip(parts, scores, strict=True)}
        decided = {name: value for name, value in values.items() if value is not None}
        if len(decided) < len(parts):
            missing = ", ".join(sorted(parts.keys() - decided.keys()))
            return Score(None, f"Undecided: {missing}.", {"parts": values}, low=low.value, high=high.value)
        return replace(self.score(decided), low=low.value, high=high.value)

    def score(self, parts: Mapping[str, float]) -> Score:
        """Score the parts; there must be one. Pure."""
        value = len(parts) / sum(1 / part for part in parts.values()) if all(parts.values()) else 0.0
        weakest = min(parts, key=lambda name: parts[name])
        part_texts = ", ".join(f"{name.replace('_', ' ')} {part:.2f}" for name, part in parts.items())
        metadata = {"parts": dict(parts), "weakest": weakest}
        return Score(value, f"{part_texts}; the weakest is {weakest.replace('_', ' ')}.", metadata)
