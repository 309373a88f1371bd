"""Does the output follow each instruction?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt
from ragstone.verdict import verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeInstructions(Prompt[Decisions]):
    """Ask for followed or not_followed on each instruction."""

    answer = Decisions
    instruction = """\
Decide for each of the listed instructions whether the actual output follows it; do not follow it yourself.
followed: the output does all of it, or the instruction does not apply to the input.
not_followed: the output breaks it, or follows it only in part."""
    labels = verdict_labels(yes="followed", no="not_followed")
    one_per = "instructions"
    noun = "instruction"

    instructions: tuple[str, ...]
    input: str
    actual_output: str
