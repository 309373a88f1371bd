"""Semantic answer relevancy: would the actual output be an answer to the question that was asked?

    score = mean over N generated questions of max(0, cos(question, input)); 0 where the output is noncommittal

The judge writes questions that the output answers; an output on the topic leads back to the input. A low score blames
the generator. Source: RAGAS, arXiv:2309.15217, section 3, answer relevance.
"""

from collections.abc import Sequence

from ragstone.errors import BadOption
from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.prompts import GenerateQuestions


class SemanticAnswerRelevancy(Metric):
    """Would the actual output be an answer to the question that was asked? One judge call and embeddings.

    Attributes:
        questions: how many questions the judge writes.
        embedder: spec of the embedder: `local`, `openai:text-embedding-3-small` …
    """

    needs = ("input", "actual_output")
    prompts = (GenerateQuestions,)
    output_form = "prose"

    questions: int = 3
    embedder: str = "local"

    def __post_init__(self) -> None:
        """Reject invalid options."""
        super().__post_init__()
        if self.questions < 1:
            raise BadOption(f"{self.title}: questions={self.questions!r}: write 1 or more")

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for questions, then compare their embeddings with the input's."""
        answer = await ctx.ask(GenerateQuestions(text=case.text("actual_output"), count=self.questions))
        cosines: list[float] = []
        if not answer.noncommittal:
            vectors = await ctx.embed([case.input, *answer.questions], self.embedder)
            cosines = [float(cosine) for cosine in vectors[1:] @ vectors[0]]
        return self.score(answer.questions, cosines, noncommittal=answer.noncommittal)

    def score(self, questions: Sequence[str], cosines: Sequence[float], *, noncommittal: bool) -> Score:
        """Score the cosines between the generated questions and the input. Pure."""
        metadata = {
            "questions": list(questions),
            "cosines": list(cosines),
            "noncommittal": noncommittal,
        }
        if noncommittal:
            return Score(0.0, "The actual output is noncommittal: it evades the question.", metadata)
        value = min(1.0, sum(max(0.0, cosine) for cosine in cosines) / len(cosines))
        reason = f"{len(cosines)} questions that the output answers are on average {value:.2f} similar to the input."
        return Score(value, reason, metadata, tuple(questions))
