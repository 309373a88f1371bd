"""How well does an answer answer, how much of the reference does it say (`RateAccuracy`), how far was a task done?

`RateAccuracy` has two wordings, because errors of one are not those of the other. The second shows both answers without
saying which is the reference, in the other order, so that a preference of the judge for the first shows. Source:
NVIDIA's answer accuracy, in Ragas; the wordings are ours.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Rating, Text
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.prompt import OPTIONAL, Prompt, TwoWordings

_SEVERAL = "Of several references or answers A, the one that fits best counts."


@dataclass(frozen=True, kw_only=True)
class RateAnswer(Prompt[Rating]):
    """Ask for a rating from 0 to 3 of the actual output."""

    answer = Rating
    instruction = """\
Rate from 0 to 3 how much of what the input asks for the actual output answers; whether it is true does not matter. \
Where the input can be read in two ways, an answer to either counts; more than was asked is no fault if the answer \
is easy to find.
3: all that was asked. 2: at least half of it. 1: less than half, or only things around it.
0: it is off the topic, evades, refuses, or only says that it does not know; if it answers a part, rate the part."""
    scale = (0, 1, 2, 3)

    input: str
    actual_output: str


@dataclass(frozen=True, kw_only=True)
class RateAccuracy(TwoWordings):
    """Ask for a rating of 0, 2 or 4.

    Attributes:
        input: the question.
        actual_output: the answer that is judged.
        expected_output: the reference, or several accepted ones.
    """

    wordings = (
        """\
Rate the actual output by the reference, both as answers to the input; what the reference does not say, or was \
not asked for, is no fault.
0: the core of what was asked, or each of its equal parts, is missing or contradicted, whatever else agrees. 2: the \
core holds, but another asked-for part is missing, or one is contradicted. 4: all of it holds, in whatever words.""",
        """\
Two answers to one question, of unknown origin. Rate how far B can stand for A; what A does not say, or was not asked \
for, is no fault.
0: B lacks or contradicts the core of what was asked, or each of its equal parts, whatever else agrees. 2: the core \
holds, but another asked-for part is missing, or one is contradicted. 4: all of it holds, in whatever words.""",
    )
    scale = (0, 2, 4)

    input: str
    actual_output: str
    expected_output: EvidenceText

    def task(self) -> str:
        """Return one of the two wordings, with a line on several references if there are."""
        several = "" if isinstance(self.expected_output, str) else f"\n{_SEVERAL}"
        return f"{super().task()}{several}"

    def evidence(self) -> Iterator[tuple[str, EvidenceText]]:
        """Yield question and answers; in the second wording nothing tells which is the reference."""
        first, second = ("answer A", "answer B") if self.alternate_wording else ("reference", "actual output")
        yield "input", self.input
        yield first, self.expected_output
        yield second, self.actual_output


class CompletionRating(Rating):
    """What was to be done, what came of it, and how completely the outcome fulfils the task."""

    task: Text
    outcome: Text


@dataclass(frozen=True, kw_only=True)
class RateCompletion(Prompt[CompletionRating]):
    """Ask for task, outcome, and a rating from 0 to 10, in this order.

    Attributes:
        tool_calls: what the agent did, in order.
        task_given: the task, where it is known; else the judge infers it from the input.
        input: what the user asked.
        actual_output: what the agent answered.
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

    tool_calls: tuple[str, ...] = field(metadata={"label": "tool calls"})
    task_given: str = field(default="", metadata={"label": "task", **OPTIONAL})
    input: str
    actual_output: str = field(metadata={"label": "actual output"})
