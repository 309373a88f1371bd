"""The turns of a conversation as shown to a judge, and the metrics that are the share of good replies."""

from typing import Any, ClassVar, cast

from ragstone.case import TestCase, Turn
from ragstone.errors import NotApplicable
from ragstone.metrics.base.metric import MetricContext, Score
from ragstone.metrics.shared.verdict_share import VerdictShareMetric


class ReplyMetric(VerdictShareMetric):
    """Base of the metrics of replies. One judge call.

    Attributes:
        judged: the prompt that asks for a verdict on each reply, a `Prompt[Decisions]` with `turns` and `replies`.
    """

    needs = ("turns",)
    judged: ClassVar[type[Any]]

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Ask for a verdict on each reply.

        Raises:
            NotApplicable: there is no assistant turn.
        """
        said = tuple(turn.content for turn in _turns(case) if turn.role == "assistant")
        if not said:
            raise NotApplicable("The conversation has no turn of the assistant: there is nothing to judge.")
        prompt = self.judged(turns=turn_texts(case), replies=len(said), **self.prompt_fields(case))
        return self.score((await ctx.ask(prompt)).on(said))

    def prompt_fields(self, case: TestCase) -> dict[str, Any]:
        """Return what the prompt shows beside the turns."""
        return {}


def turn_texts(case: TestCase) -> tuple[str, ...]:
    """Return all turns, each with its role."""
    return tuple(map(str, _turns(case)))


def _turns(case: TestCase) -> tuple[Turn, ...]:
    return cast("tuple[Turn, ...]", case.get("turns"))
