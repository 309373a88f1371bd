"""How far was the task done?"""

from collections.abc import Iterator
from dataclasses import dataclass

from ragstone.prompts.base.answer import Rating, Text
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.prompt import Prompt, check_on_scale


class CompletionRating(Rating):
    """What was to be done, what came of it, and how far that is the same."""

    task: Text
    outcome: Text


@dataclass(frozen=True, kw_only=True)
class RateCompletion(Prompt[CompletionRating]):
    """Ask for task, outcome, and a rating from 0 to 10.

    Attributes:
        tool_calls: what the agent did, in order.
        input: what the user asked.
        actual_output: what the agent answered.
        task: the task, where it is known; else the judge infers it from the input.
    """

    answer = CompletionRating
    instruction = """\
Name the task (if none is given, what the user of the input wants), then the outcome: what was really achieved, by \
the actual output and what the tool calls returned, not by what is merely announced. Rate from 0 to 10 how far the \
outcome is the task. 10: all of it. 5: half of it, or all with a serious flaw. 0: nothing, or the contrary."""

    tool_calls: tuple[str, ...]
    input: str
    actual_output: str
    task_given: str = ""

    def evidence(self) -> Iterator[tuple[str, EvidenceText]]:
        """Yield what is there."""
        yield "tool calls", self.tool_calls
        yield "input", self.input
        yield "actual output", self.actual_output
        yield "task", self.task_given or "(not given)"

    def check(self, answer: CompletionRating) -> str | None:
        """Demand a score of the scale."""
        return check_on_scale(answer.score, range(11))
