"""Citation recall: is each sentence of the actual output supported by the passages it cites?

    score = supported sentences / sentences that claim something

A sentence that cites nothing, or only numbers that no passage has, is not supported. Greetings, questions and
transitions are not counted; an output that claims nothing scores 1. A low score blames the generator: it states what
its sources do not, or does not say where it stands. Source: ALCE, arXiv:2305.14627, section 4.
"""

from collections.abc import Sequence
from dataclasses import replace

from ragstone.metrics.base.metric import Metric, MetricContext, TestCase
from ragstone.metrics.base.score import findings, list_examples, verdict_dicts
from ragstone.metrics.shared.citations import CitedSentence, cited_sentences
from ragstone.metrics.shared.claims import split_batches
from ragstone.prompts import JudgeCitedSentences
from ragstone.score import Score, bounded
from ragstone.verdict import Verdict


class CitationRecall(Metric):
    """Is each sentence of the output supported by the passages it cites? One judge call."""

    needs = ("actual_output", "retrieval_context")
    prompts = (JudgeCitedSentences,)

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for a verdict on each sentence."""
        sentences, passages = cited_sentences(case.text("actual_output")), case.passages()
        batches = split_batches(sentences)
        prompts = [
            JudgeCitedSentences(
                passages=passages,
                input=case.input,
                sentences=tuple(sentence.marked(len(passages)) for sentence in batch),
                cited=tuple(sentence.in_range(len(passages)) for sentence in batch),
            )
            for batch in batches
        ]
        answers = await ctx.ask_all(prompts)
        verdicts = [
            _uncited_is_unsupported(verdict, sentence, len(passages))
            for answer, batch in zip(answers, batches, strict=True)
            for verdict, sentence in zip(answer.on(tuple(each.text for each in batch)), batch, strict=True)
        ]
        return self.score(verdicts)

    @bounded()
    def score(self, verdicts: Sequence[Verdict]) -> Score:
        """Score the verdicts on the sentences: yes supported, no unsupported, idk claims nothing. Pure."""
        claiming = [verdict for verdict in verdicts if verdict.verdict != "idk"]
        metadata = {
            "verdicts": verdict_dicts(verdicts),
            "sentences": [verdict.statement for verdict in verdicts],
        }
        if not claiming:
            return Score(1.0, "The actual output claims nothing that needs a citation.", metadata)
        missed = [verdict for verdict in claiming if verdict.verdict == "no"]
        reason = f"{len(claiming) - len(missed)} of {len(claiming)} sentences are supported by the passages they cite."
        value = 1 - len(missed) / len(claiming)
        return Score(value, reason + list_examples("Not supported", missed), metadata, findings(verdicts))


def _uncited_is_unsupported(verdict: Verdict, sentence: CitedSentence, passages: int) -> Verdict:
    """Return the verdict; a sentence that cites no passage is never supported, whatever the judge says."""
    if verdict.verdict == "yes" and not sentence.in_range(passages):
        return replace(verdict, verdict="no", reason="it cites no passage", passage=None, span=None)
    return verdict
