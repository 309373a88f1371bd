"""Contextual relevancy: how much of the retrieved text has to do with the input?

    score = relevant statements of all passages / all statements of all passages

A low score tells how much the retriever fetched that is not needed, which costs tokens. It is no fault of a test case:
there is no threshold by default. Source: DeepEval, contextual relevancy; RAGAS, arXiv:2309.15217, section 3, context
relevance.
"""

from ragstone.metrics.base.metric import MetricContext, Score, TestCase
from ragstone.metrics.shared.verdict_share import VerdictShareMetric
from ragstone.prompts import JudgePassages


class ContextualRelevancy(VerdictShareMetric):
    """How much of the retrieved text has to do with the input? One judge call.

    Attributes:
        per_passage: ask about each passage separately (one call each), for passages that are too long for one
            call.
    """

    needs = ("input", "retrieval_context")
    prompts = (JudgePassages,)
    score_without_passages = 0.0
    reason, examples, statements_key = (
        "{} of {} statements in the passages are relevant to the input.",
        "Irrelevant",
        "statements",
    )

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
