"""Contextual relevancy: how much of the retrieved text has to do with the input?

    score = relevant statements of all passages / all statements of all passages

A low score tells how much the retriever fetched that is not needed, which costs tokens. It is no fault of a test case:
there is no threshold by default. Source: DeepEval, contextual relevancy; RAGAS, arXiv:2309.15217, section 3, context
relevance.
"""

from collections.abc import Sequence
from typing import Any

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.score import findings, list_examples, share, verdict_dicts
from ragstone.prompts import JudgePassages
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict


class ContextualRelevancy(Metric):
    """How much of the retrieved text has to do with the input? One judge call.

    Attributes:
        per_passage: ask about each passage separately (one call each), for passages that are too long for one
            call.
    """

    needs = ("input", "retrieval_context")
    prompts = (JudgePassages,)
    score_without_passages = 0.0

    threshold: float | None = None
    per_passage: bool = False

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for the statements of every passage, relevant or not."""
        passages = case.passages()
        groups = [(passage,) for passage in passages] if self.per_passage else [passages]
        answers = await ctx.ask_all([JudgePassages(passages=group, input=case.input) for group in groups])
        verdicts = [
            (item.model_copy(update={"passage": number}) if self.per_passage else item).as_verdict()
            for number, answer in enumerate(answers, 1)
            for item in answer.verdicts
        ]
        return self.score(verdicts)

    @bounded()
    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts on the statements of all passages; there must be one. Pure."""
        noise = [verdict for verdict in verdicts if verdict.verdict != "yes"]
        relevant = len(verdicts) - len(noise)
        reason = f"{relevant} of {len(verdicts)} statements in the passages are relevant to the input."
        metadata: dict[str, Any] = {
            "verdicts": verdict_dicts(verdicts),
            "statements": [verdict.statement for verdict in verdicts],
        }
        value = share(verdicts, frozenset({"yes"}))
        return Score(value, reason + list_examples("Irrelevant", noise), metadata, findings(verdicts))
