"""By which steps are the criteria of a G-Eval metric evaluated?

Source: arXiv:2303.16634, section 2, auto chain-of-thought.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Answer, Text
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.prompt import UNRENDERED, Prompt


class Steps(Answer):
    """Evaluation steps, in order."""

    steps: tuple[Text, ...]


@dataclass(frozen=True, kw_only=True)
class DeriveSteps(Prompt[Steps]):
    """Ask for three or four evaluation steps that put criteria to work."""

    answer = Steps
    instruction = (
        "Write 3 or 4 short evaluation steps by which a judge can rate a test case against the criteria below, "
        "looking at {parameters}. Each step says what to look at and what raises or lowers the score."
    )
    shared_by_run = True

    criteria: str
    parameters: tuple[str, ...] = field(metadata=UNRENDERED)

    def task(self) -> str:
        """Name the fields that will be shown."""
        return self.instruction.format(parameters=", ".join(self.parameters))

    def evidence(self) -> Iterator[tuple[str, EvidenceText]]:
        """Yield the criteria: the metric's author wrote them, but they may quote anything."""
        yield "criteria", self.criteria

    def check(self, answer: Steps) -> str | None:
        """Demand a step."""
        return None if answer.steps else "There is no step: write 3 or 4."
