"""Task completion: did the agent complete its task?

    score = rating / 10, where the judge first names task and outcome, then rates how far they are the same

Tool calls and what they returned count as evidence of what was done; an announcement does not. Source: DeepEval, task
completion.
"""

from ragstone.metrics.base.metric import Metric, MetricContext, Score, TestCase
from ragstone.metrics.shared.tool_calls import tool_calls_json
from ragstone.prompts import CompletionRating, RateCompletion


class TaskCompletion(Metric):
    """Did the agent complete its task? One judge call.

    Attributes:
        task: the task, if it differs from the request in the input.
    """

    needs = ("input", "actual_output")
    prompts = (RateCompletion,)

    task: str | None = None

    async def assess(self, case: TestCase, ctx: MetricContext) -> Score:
        """Have the outcome rated."""
        return self.score(
            await ctx.ask(
                RateCompletion(
                    tool_calls=tool_calls_json(case.tools_called or ()),
                    input=case.input,
                    actual_output=case.text("actual_output"),
                    task_given=self.task or "",
                )
            )
        )

    def score(self, completion: CompletionRating) -> Score:
        """Score a rating from 0 to 10. Pure."""
        metadata = {
            "task": completion.task,
            "outcome": completion.outcome,
            "raw_score": completion.value,
        }
        reason = completion.reason or f"Task: {completion.task} Outcome: {completion.outcome}"
        return Score(completion.value / 10, reason, metadata, (completion.reason,))
