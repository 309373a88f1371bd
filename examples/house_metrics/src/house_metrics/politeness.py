"""Politeness: is the actual output polite? One judge call.

score = the judge's rating from 0 to 10, divided by 10
"""

from dataclasses import dataclass

from pydantic import Field

from ragstone import TestCase
from ragstone.judges import MetricContext
from ragstone.metrics import Metric, Score
from ragstone.prompts import Answer, Prompt


class Rating(Answer):
    """A rating, and why."""

    reason: str
    rating: int = Field(ge=0, le=10)


@dataclass(frozen=True, kw_only=True)
class RatePoliteness(Prompt[Rating]):
    """Ask how polite a text is. Fields are evidence: they are fenced, so that no text passes for an instruction."""

    answer = Rating
    instruction = """\
Rate from 0 to 10 how polite the text is: greeting, tone, respect, professional language.
0 is an insult, 5 is curt but correct, 10 is courteous throughout. Give the reason first."""

    text: str


class Politeness(Metric):
    """Is the actual output polite? One judge call."""

    needs = ("actual_output",)
    prompts = (RatePoliteness,)

    threshold: float = 0.7

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for a rating."""
        answer = await ctx.ask(RatePoliteness(text=case.text("actual_output")))
        return Score(answer.rating / 10, answer.reason, {"rating": answer.rating})
