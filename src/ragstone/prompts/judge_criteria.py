"""Does a test case meet an aspect or instructions of the metric's author; are the arguments of its tool calls right?"""

from dataclasses import dataclass, field

from ragstone.prompts.base.answer import AspectVerdict, Decisions
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.prompt import LABELLED, UNRENDERED, Prompt, one_line
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
    case_fields: tuple[tuple[str, EvidenceText], ...] = field(metadata=LABELLED)
    sample: int = 0
    sampled: bool = False

    @property
    def temperature(self) -> float | None:
        """1 for a sample, so that samples can differ; else the judge's own."""
        return 1.0 if self.sampled else None

    def task(self) -> str:
        """Write out the definition on one line of our own."""
        return f"{self.instruction}\n{one_line(self.definition)}"

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
