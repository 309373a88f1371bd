"""Was each passage useful for arriving at the expected output?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt
from ragstone.verdict import verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeUsefulness(Prompt[Decisions]):
    """Ask for useful or not_useful on each passage, in rank order."""

    answer = Decisions
    instruction = """\
Decide for each passage, taken alone, whether it helps to arrive at the expected output.
useful: at least a part of one statement of the expected output follows from it.
not_useful: none does, though it may share the topic or only contradicts the expected output; so is an empty one. \
Expected "Entry costs 5 euros.", passage "Entry is until 6 pm." -> not_useful."""
    labels = verdict_labels(yes="useful", no="not_useful")
    one_per = "passages"
    noun = "passage"

    passages: tuple[str, ...]
    input: str
    expected_output: str
