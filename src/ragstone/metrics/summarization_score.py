"""Summarization score: are the facts of the source in the summary, and is the summary short?

    score = (1 - c) * answered + c * concise
    answered = questions on the source that the summary answers with yes / all questions
    concise  = 1 - min(|summary|, |source|) / |source|, in characters;  c = conciseness_weight

Without the length penalty the score is `answered`. Ragas 0.4.3 multiplies it by 1 - c all the same, so that a perfect
summary scores 0.5; `compat="ragas"` gives that number. The source is the context. Source: Ragas, summarization score.
"""

from collections.abc import Sequence
from typing import Literal

from ragstone.errors import BadOption
from ragstone.metrics.base.metric import Metric, MetricContext, TestCase
from ragstone.metrics.base.score import findings, list_examples, share, verdict_dicts
from ragstone.prompts import AnswerQuestions, WriteQuestions
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict


class SummarizationScore(Metric):
    """Are the facts of the source in the summary, and is the summary short? Two judge calls.

    Attributes:
        questions: how many questions are asked.
        length_penalty: whether the length of the summary counts.
        conciseness_weight: weight of the conciseness, from 0 to 1.
        compat: `ragas` for the number of Ragas 0.4.3, which halves the score without length penalty too.
    """

    needs = ("actual_output", "context")
    prompts = (WriteQuestions, AnswerQuestions)
    output_form = "prose"

    questions: int = 5
    length_penalty: bool = True
    conciseness_weight: float = 0.5
    compat: Literal["ragas"] | None = None

    def __post_init__(self) -> None:
        """Reject invalid options."""
        super().__post_init__()
        if self.questions < 1:
            raise BadOption(f"{self.title}: questions={self.questions!r}: write 1 or more")
        if not 0 <= self.conciseness_weight <= 1:
            raise BadOption(f"{self.title}: conciseness_weight={self.conciseness_weight!r}: write 0 to 1")

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for questions on the source, then which of them the summary answers."""
        source, summary = case.passages("context"), case.text("actual_output")
        questions = (await ctx.ask(WriteQuestions(source=source, count=self.questions))).questions
        answer = await ctx.ask(AnswerQuestions(text=(summary,), questions=questions))
        return self.score(answer.on(questions), len(summary), len("\n".join(source)))

    @bounded()
    def score(self, verdicts: Sequence[Verdict], summary: int, source: int) -> Score:
        """Score the verdicts on the questions, and two lengths in characters; there must be a verdict. Pure."""
        answered = share(verdicts, frozenset({"yes"}))
        conciseness = 1 - min(summary, source) / source
        weight = self.conciseness_weight if self.length_penalty or self.compat == "ragas" else 0.0
        value = (1 - weight) * answered + (weight * conciseness if self.length_penalty else 0.0)
        missing = [verdict for verdict in verdicts if verdict.verdict != "yes"]
        reason = (
            f"The summary answers {len(verdicts) - len(missing)} of {len(verdicts)} questions on the source"
        )
        reason += f" and is {1 - conciseness:.0%} as long." if self.length_penalty else "."
        metadata = {
            "verdicts": verdict_dicts(verdicts),
            "answered": answered,
            "conciseness": conciseness,
        }
        return Score(value, reason + list_examples("Not answered", missing), metadata, findings(verdicts))
