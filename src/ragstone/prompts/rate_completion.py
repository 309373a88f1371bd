"""How far was the task done?"""

from collections.abc import Iterator
from dataclasses import dataclass

from ragstone.prompts.base.answer import Rating, Text
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.prompt import Prompt


class CompletionRating(Rating):
    """What was to be done, what came of it, and how completely the outcome fulfils the task."""

    task: Text
    outcome: Text


@dataclass(frozen=True, kw_only=True)
class RateCompletion(Prompt[CompletionRating]):
    """Ask for task, outcome, and a rating from 0 to 10, in this order.

    Attributes:
        tool_calls: what the agent did, in order.
        input: what the user asked.
        actual_output: what the agent answered.
        task_given: the task, where it is known; else the judge infers it from the input.
    """

    answer = CompletionRating
    instruction = """\
Name the task (the given one, or what the user of the input wants), then the outcome: what was achieved, not what is \
merely announced. If the task is to get information, an answer in the actual output is the achievement, and its \
truth counts only where tool results show it; if the task is an action, only a tool result proves it.
Then rate from 0 to 10 how completely the outcome fulfils the task. 10: completely. 8: with a small flaw. 5: half of \
it, or all with a serious flaw. 2: a first step only. 0: nothing, or the contrary.
Task "book a table", output "I will book it", no tool calls -> 0."""
    scale = range(11)

    tool_calls: tuple[str, ...]
    input: str
    actual_output: str
    task_given: str = ""

    def evidence(self) -> Iterator[tuple[str, EvidenceText]]:
        """Yield what is there."""
        yield "tool calls", self.tool_calls
        if self.task_given:
            yield "task", self.task_given
        yield "input", self.input
        yield "actual output", self.actual_output
