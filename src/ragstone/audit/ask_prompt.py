"""A metric that sends a single prompt about a whole text, for comparison with labels of single judgements.

    score = probability of yes if the judge returns one, otherwise 1 for yes and 0 for no and idk

Other metrics extract claims before they judge them, and need the fields for that. Datasets of labelled judgements (is
this text supported by that passage?) label the judgement only, and this metric measures only the judgement.
"""

from collections.abc import Callable

from ragstone.case import TestCase
from ragstone.engine.context import MetricContext
from ragstone.errors import UnknownName
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.score import Score, verdict_dicts
from ragstone.prompts import Decisions, JudgeAgreement, JudgeClaims, JudgeStatements, Prompt
from ragstone.verdict import Verdict

Maker = Callable[[TestCase], Prompt[Decisions]]

_PROMPTS: dict[str, tuple[tuple[str, ...], Maker]] = {
    "judge_claims": (
        ("actual_output", "retrieval_context"),
        lambda case: JudgeClaims(
            evidence_texts=case.passages(),
            input=case.input,
            claims=(case.text("actual_output"),),
            source=case.passages(),
        ),
    ),
    "judge_statements": (
        ("input", "actual_output"),
        lambda case: JudgeStatements(input=case.text("input"), statements=(case.text("actual_output"),)),
    ),
    "judge_agreement": (
        ("actual_output", "context"),
        lambda case: JudgeAgreement(
            contexts=case.passages("context"), input=case.input, actual_output=case.text("actual_output")
        ),
    ),
}
"""For each prompt name, the required fields and a function that makes the prompt."""


class AskPrompt(Metric):
    """Ask one prompt about the whole actual output. One judge call.

    Attributes:
        prompt: `judge_claims` (is it supported by the passages?), `judge_statements` (does it help to answer the
            input?) or `judge_agreement` (does it agree with every context?).
    """

    needs = ("actual_output",)
    prompts = (JudgeClaims, JudgeStatements, JudgeAgreement)

    prompt: str

    def __post_init__(self) -> None:
        """Reject an unknown prompt."""
        super().__post_init__()
        if self.prompt not in _PROMPTS:
            raise UnknownName("deciding prompt", self.prompt, _PROMPTS)

    @property
    def title(self) -> str:
        """The prompt's name."""
        return self.prompt

    @property
    def fields_needed(self) -> tuple[str, ...]:
        """The fields that the prompt shows."""
        return _PROMPTS[self.prompt][0]

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Send the prompt and return the score of its least favourable verdict."""
        answer = await ctx.ask(_PROMPTS[self.prompt][1](case))
        text = case.text("actual_output")
        verdicts = [decision.on(text) for decision in answer.verdicts]
        decisive = min(verdicts, key=_probability)
        reason = decisive.reason or f"The judge says {decisive.verdict}."
        return Score(_probability(decisive), reason, {"verdicts": verdict_dicts(verdicts)})


def _probability(verdict: Verdict) -> float:
    return float(verdict.verdict == "yes") if verdict.probability is None else verdict.probability
