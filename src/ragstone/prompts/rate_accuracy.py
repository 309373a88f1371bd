"""How far does an answer say what the reference says? Two wordings: errors of one are not those of the other.

Source: NVIDIA's answer accuracy, in Ragas; the wordings are ours. The second shows both answers without saying which
is the reference, in the other order, so that a judge's leaning to the first shows.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.prompt import Prompt, check_on_scale

SCALE = (0, 2, 4)


@dataclass(frozen=True, kw_only=True)
class RateAccuracy(Prompt[Rating]):
    """Ask for a rating of 0, 2 or 4.

    Attributes:
        input: the question.
        actual_output: the answer that is judged.
        expected_output: the reference.
        alternate_wording: ask in the other wording.
    """

    answer = Rating
    instruction = """\
Rate the actual output by the reference, as an answer to the input.
4: it says what the reference says, in whatever words; more detail that fits is no fault.
2: it says a part of it, or all of it with something that does not fit.
0: it says something else, or nothing to the point.
---
Two answers to one question, of unknown origin. Rate how far answer B can stand for answer A.
4: whoever reads B learns what A says. 2: a part of it. 0: nothing of it, or the contrary."""

    input: str
    actual_output: str
    expected_output: str
    alternate_wording: bool = False

    def task(self) -> str:
        """Return one of the two wordings."""
        return self.instruction.split("\n---\n")[self.alternate_wording]

    def evidence(self) -> Iterator[tuple[str, EvidenceText]]:
        """Yield question and answers; on the second look nothing tells which is the reference."""
        first, second = ("answer A", "answer B") if self.alternate_wording else ("reference", "actual output")
        yield "input", self.input
        yield first, self.expected_output
        yield second, self.actual_output

    def check(self, answer: Rating) -> str | None:
        """Demand a score of the scale."""
        return check_on_scale(answer.score, SCALE)
