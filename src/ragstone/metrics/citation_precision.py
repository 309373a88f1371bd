"""Citation precision: is each citation of the actual output needed for its sentence?

    score = citations that support / all citations

A citation is a sentence and one passage that it cites. It supports where the passage alone supports the whole
sentence, or where all cited passages together do and would not without this one. A number that no passage has
supports nothing. An output without a citation cannot be measured. A low score blames the generator: it cites what
does not bear on the sentence. Source: ALCE, arXiv:2305.14627, section 4.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ragstone.errors import NotApplicable
from ragstone.metrics.base.metric import MetricContext, Score, TestCase
from ragstone.metrics.shared.citations import CitedSentence, cited_sentences
from ragstone.metrics.shared.claims import split_batches
from ragstone.metrics.shared.verdict_share import VerdictShareMetric
from ragstone.prompts import JudgeCitations
from ragstone.verdict import Verdict


class CitationPrecision(VerdictShareMetric):
    """Is each citation of the output needed for its sentence? One judge call."""

    needs = ("actual_output", "retrieval_context")
    prompts = (JudgeCitations,)
    counted = frozenset({"yes", "idk"})
    reason, examples = "{} of {} citations support their sentence.", "Useless"

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for a verdict on each citation of a passage that exists."""
        passages = case.passages()
        sentences = cited_sentences(case.text("actual_output"))
        citations = [_Citation(sentence, number) for sentence in sentences for number in sentence.numbers]
        if not citations:
            raise NotApplicable(
                "The actual output has no citation marker such as [1]: there is nothing to check."
            )
        in_range = [citation for citation in citations if 1 <= citation.number <= len(passages)]
        batches = split_batches(in_range)
        answers = await ctx.ask_all([_prompt(case, batch) for batch in batches])
        judged = [
            replace(decision.on(citation.sentence.text), passage=citation.number)
            for answer, batch in zip(answers, batches, strict=True)
            for decision, citation in zip(answer.verdicts, batch, strict=True)
        ]
        missing = [
            Verdict(citation.sentence.text, "no", f"there is no passage {citation.number}")
            for citation in citations
            if not 1 <= citation.number <= len(passages)
        ]
        return self.score(judged + missing)


class _Citation(NamedTuple):
    """One sentence and one number that it cites."""

    sentence: CitedSentence
    number: int

    def text(self, passages: int) -> str:
        """Return the citation as a judge reads it."""
        return f"[{self.number}] in: {self.sentence.marked(passages)}"

    def numbers(self, passages: int) -> tuple[int, ...]:
        """Return all numbers that the sentence cites, this one first."""
        return (self.number, *(other for other in self.sentence.in_range(passages) if other != self.number))


def _prompt(case: TestCase, citations: Sequence[_Citation]) -> JudgeCitations:
    passages = case.passages()
    return JudgeCitations(
        passages=passages,
        input=case.input,
        citations=tuple(citation.text(len(passages)) for citation in citations),
        sentences=tuple(citation.sentence.text for citation in citations),
        cited=tuple(citation.numbers(len(passages)) for citation in citations),
    )
