"""Abstention: does the actual output answer what can be answered, and decline what cannot?

    score = 1 where it answered and the question is answerable, or declined and it is not; else 0
    label = answered or declined

A question is answerable where `metadata["answerable"]` is true, or, if that is not given, where there is an expected
output. `ragstone.stats.abstention_figures` counts the results of a run: risk, coverage, carefulness, over-refusal and
alignment. A refusal is never a missing number. Source: RC-RAG, arXiv:2409.16146, for four of
the figures.
"""

from ragstone.errors import NotApplicable
from ragstone.metrics.base.metric import Metric, MetricContext, TestCase
from ragstone.prompts import JudgeAbstention
from ragstone.score import Score, undecided_score


class Abstention(Metric):
    """Does the output answer what can be answered, and decline what cannot? One judge call."""

    needs = ("input", "actual_output")
    prompts = (JudgeAbstention,)
    output_form = "prose"
    categories = ("answered", "declined")

    threshold: float = 1.0

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask whether the output declines, if it is known whether it should.

        Raises:
            NotApplicable: neither `metadata["answerable"]` nor an expected output says whether there is an answer.
        """
        known = answerable(case)
        if known is None:
            raise NotApplicable(
                "It is not known whether the question can be answered: "
                'give expected_output, or metadata={"answerable": false} if there is no answer.'
            )
        answer = await ctx.ask(JudgeAbstention(input=case.input, actual_output=case.text("actual_output")))
        if answer.verdict == "undecided":
            return undecided_score(answer.reason, {"answerable": known})
        return self.score(declined=answer.verdict == "yes", answerable=known, because=answer.reason)

    def score(self, *, declined: bool, answerable: bool, because: str = "") -> Score:
        """Score the behaviour of the output against the expected behaviour. Pure."""
        behaviour = "declines" if declined else "answers"
        reason = f"The output {behaviour}; the question has {'an' if answerable else 'no'} answer."
        if because:
            reason += f" ({because.rstrip('.')})"
        metadata = {"declined": declined, "answerable": answerable}
        label = "declined" if declined else "answered"
        return Score(float(declined != answerable), reason, metadata, (reason,), label=label)


def answerable(case: TestCase) -> bool | None:
    """Return whether the question of a test case has an answer, or None if unknown."""
    given = case.metadata.get("answerable")
    if isinstance(given, bool):
        return given
    return True if case.get("expected_output") is not None else None
