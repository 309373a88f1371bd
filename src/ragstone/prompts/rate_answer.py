"""How well does an answer answer (`RateAnswer`), and how much of the reference does it say (`RateAccuracy`)?

`RateAccuracy` has two wordings, because errors of one are not those of the other. The second shows both answers without
saying which is the reference, in the other order, so that a preference of the judge for the first shows. Source:
NVIDIA's answer accuracy, in Ragas; the wordings are ours.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ragstone.prompts.base.answer import Rating
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.prompt import Prompt, TwoWordings


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
        expected_output: the reference.
    """

    wordings = (
        """\
Rate the actual output by the reference. Only what the input asks for counts; detail that the reference neither \
states nor contradicts is no fault.
4: all of what the reference says, in whatever words, and nothing that contradicts it.
2: at least one part of it; other parts are missing or contradicted. 0: no part of it.""",
        """\
Two answers to one question, of unknown origin. Rate how far answer B can stand for answer A. Only what the question \
asks for counts; detail that A neither states nor contradicts is no fault.
4: B says all that A says, and nothing that contradicts it.
2: B says at least one part of it; other parts are missing or contradicted. 0: B says no part of it.""",
    )
    scale = (0, 2, 4)

    input: str
    actual_output: str
    expected_output: str

    def evidence(self) -> Iterator[tuple[str, EvidenceText]]:
        """Yield question and answers; in the second wording nothing tells which is the reference."""
        first, second = ("answer A", "answer B") if self.alternate_wording else ("reference", "actual output")
        yield "input", self.input
        yield first, self.expected_output
        yield second, self.actual_output
