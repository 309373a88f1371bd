"""By which steps are the criteria of a G-Eval metric evaluated?

Source: arXiv:2303.16634, section 2, auto chain-of-thought.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Answer, Text
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.prompt import UNRENDERED, Prompt
from ragstone.prompts.base.schema import AnswerBounds


class Steps(Answer):
    """Evaluation steps, in order."""

    steps: tuple[Text, ...]


@dataclass(frozen=True, kw_only=True)
class DeriveSteps(Prompt[Steps]):
    """Ask for one to four evaluation steps that put criteria to work."""

    answer = Steps
    instruction = """\
Write 1 to 4 short evaluation steps by which a judge can rate a test case against the criteria above from 0 (worst) \
to 10 (best), looking at {parameters}. Each step says what to look at and what raises or lowers the score. Cover \
each criterion that is named and add none. Write no numbers before the steps. A step: "Read the first sentence of \
the actual output: a direct answer raises the score, a detour lowers it."
"""
    shared_by_run = True

    criteria: str
    parameters: tuple[str, ...] = field(metadata=UNRENDERED)

    def task(self) -> str:
        """Name the fields that will be shown."""
        return self.instruction.strip().replace("{parameters}", ", ".join(self.parameters))

    def evidence(self) -> Iterator[tuple[str, EvidenceText]]:
        """Yield the criteria: the metric's author wrote them, but they may quote anything."""
        yield "criteria", self.criteria

    def check(self, answer: Steps) -> str | None:
        """Demand a step, and steps that say something."""
        if not answer.steps:
            return "There is no step: write 1 to 4."
        empty = [
            str(number) for number, step in enumerate(answer.steps, 1) if not re.search(r"[^\W\d_]", step)
        ]
        return f"Step {', '.join(empty)} says nothing: write what to look at." if empty else None

    def bounds(self) -> AnswerBounds:
        """Allow one step to four."""
        return AnswerBounds(lists={"steps": (1, 4)})
