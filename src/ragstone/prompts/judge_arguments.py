"""Are the arguments of each tool call right?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt
from ragstone.verdict import verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeArguments(Prompt[Decisions]):
    """Ask for correct or incorrect on each call."""

    answer = Decisions
    instruction = """\
Decide for each tool call whether its arguments are right for the input, given what earlier calls returned.
correct: they are complete, well-formed and follow from the input or from earlier outputs.
incorrect: one is missing, made up, wrong, or in the wrong place or unit. Which tool was called does not matter."""
    labels = verdict_labels(yes="correct", no="incorrect")
    one_per = "tool_calls"
    noun = "tool call"

    tool_calls: tuple[str, ...]
    input: str
