"""Does a test case meet what the metric's author wrote: an aspect, as a question, or a list of instructions?"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ragstone.prompts.base.answer import AspectVerdict, Decisions
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.prompt import UNRENDERED, Prompt, one_line
from ragstone.verdict import verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeAspect(Prompt[AspectVerdict]):
    """Ask for yes or no.

    Attributes:
        definition: the question that is to be answered, the metric author's own.
        case_fields: label and text of each field of the test case that is looked at.
        sample: number of this sample, where several are taken.
        sampled: whether the answer is to be sampled (temperature 1) rather than the likeliest one.
    """

    answer = AspectVerdict
    instruction = """\
Answer the question below about the actual output, if there is one; the other texts are its context, and common \
sense is allowed. Judge what the words say or would plainly cause, not what is merely possible. The reason quotes \
the words it rests on.
yes: the answer to the question is yes. no: it is not."""
    labels = verdict_labels(yes="yes", no="no")

    definition: str = field(metadata=UNRENDERED)
    case_fields: tuple[tuple[str, EvidenceText], ...] = field(metadata=UNRENDERED)
    sample: int = 0
    sampled: bool = False

    @property
    def temperature(self) -> float | None:
        """1 for a sample, so that samples can differ; else the judge's own."""
        return 1.0 if self.sampled else None

    def task(self) -> str:
        """Write out the definition on one line of our own."""
        return f"{self.instruction}\n{one_line(self.definition)}"

    def evidence(self) -> Iterator[tuple[str, EvidenceText]]:
        """Yield the fields that are looked at."""
        yield from self.case_fields

    def check(self, answer: AspectVerdict) -> str | None:
        """Demand a decision."""
        return "Decide: yes or no." if answer.verdict == "idk" else None


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
