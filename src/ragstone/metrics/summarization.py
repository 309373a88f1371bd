"""Summarization: is the summary true to its source, and does it contain the key facts?

    score = min(alignment, coverage)
    alignment = claims of the summary that the source supports / all its claims; 1 where it makes none
    coverage  = questions that both source and summary answer with yes / those that the source does

The input is the source, the actual output the summary. Questions are written anew for each source, or given. Where
the source answers none with yes, coverage cannot be measured. Source: DeepEval, summarization; QAGS, arXiv:2004.04228.
"""

import asyncio
from collections.abc import Sequence

from ragstone.errors import BadOption, NotApplicable
from ragstone.metrics.base.metric import Metric, MetricContext, TestCase
from ragstone.metrics.base.score import findings, list_examples, verdict_dicts
from ragstone.metrics.shared.claims import extract_claims, judge_claims
from ragstone.prompts import AnswerQuestions, ExtractClaims, JudgeClaims, WriteQuestions
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict


class Summarization(Metric):
    """Is the summary true to its source, and does it contain the key facts? Five judge calls, at most two in sequence.

    Attributes:
        questions: how many questions the judge writes.
        assessment_questions: questions of your own that the source answers with yes.
    """

    needs = ("input", "actual_output")
    prompts = (ExtractClaims, JudgeClaims, WriteQuestions, AnswerQuestions)
    output_form = "prose"

    questions: int = 5
    assessment_questions: Sequence[str] | None = None

    def __post_init__(self) -> None:
        """Reject invalid options."""
        super().__post_init__()
        if self.questions < 1:
            raise BadOption(f"{self.title}: questions={self.questions!r}: write 1 or more")
        if self.assessment_questions is not None and not self.assessment_questions:
            raise BadOption(f"{self.title}: assessment_questions={self.assessment_questions!r}: write a list")

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Judge the claims and the coverage at the same time."""
        source, summary = case.input, case.text("actual_output")
        claims, (by_source, by_summary) = await asyncio.gather(
            self._judge_alignment(ctx, source, summary), self._judge_coverage(ctx, source, summary)
        )
        return self.score(claims, by_source, by_summary)

    async def _judge_alignment(self, ctx: MetricContext, source: str, summary: str) -> tuple[Verdict, ...]:
        return await judge_claims(ctx, await extract_claims(ctx, summary), (source,))

    async def _judge_coverage(
        self, ctx: MetricContext, source: str, summary: str
    ) -> tuple[tuple[Verdict, ...], tuple[Verdict, ...]]:
        questions = tuple(self.assessment_questions or ())
        if not questions:
            answer = await ctx.ask(WriteQuestions(source=(source,), count=self.questions))
            questions = answer.questions
        texts = (source, summary)
        answers = await ctx.ask_all([AnswerQuestions(text=(text,), questions=questions) for text in texts])
        return answers[0].on(questions), answers[1].on(questions)

    @bounded(together=(1, 2))
    def score(
        self, claims: Sequence[Verdict], by_source: Sequence[Verdict], by_summary: Sequence[Verdict]
    ) -> Score:
        """Score verdicts on the claims of the summary, and on questions by source and by summary. Pure.

        Raises:
            NotApplicable: the source answers no question with yes.
        """
        wrong = [verdict for verdict in claims if verdict.verdict != "yes"]
        alignment = 1 - len(wrong) / len(claims) if claims else 1.0
        pairs = zip(by_source, by_summary, strict=True)
        answerable = [verdict for source, verdict in pairs if source.verdict == "yes"]
        if not answerable:
            raise NotApplicable(
                "The source answers none of the questions with yes, so coverage is not defined."
            )
        lost = [verdict for verdict in answerable if verdict.verdict != "yes"]
        coverage = 1 - len(lost) / len(answerable)
        metadata = {
            "alignment": alignment,
            "coverage": coverage,
            "verdicts": verdict_dicts(claims),
            "questions": verdict_dicts(by_summary),
            "questions_of_source": verdict_dicts(by_source),
        }
        reason = f"Alignment is {alignment:.2f}, coverage {coverage:.2f}."
        reason += list_examples("Not in the source", wrong) + list_examples("Lost", lost)
        return Score(min(alignment, coverage), reason, metadata, findings([*claims, *lost]))
