"""What is the actual output as an answer: does it decline, and does it answer every part of the question?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Answer, AspectVerdict, Text, VerdictField
from ragstone.prompts.base.prompt import Prompt
from ragstone.prompts.base.schema import AnswerBounds, most_entries
from ragstone.verdict import Verdict, verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeAbstention(Prompt[AspectVerdict]):
    """Ask whether the actual output declines to answer."""

    answer = AspectVerdict
    instruction = """\
Decide whether the actual output declines to answer the input. Whether it is right to do so, and whether an answer is \
true, does not matter.
declined: it says that it does not know, cannot or will not answer, or that its sources do not say, and answers no \
part of what was asked; hints where to look, apologies and a question back change nothing.
answered: it answers the input or a part of it, even with doubt, with a warning, or beside a refusal of another part; \
so does a plain "no" to a question of yes or no."""
    labels = verdict_labels(yes="declined", no="answered")

    input: str
    actual_output: str

    def check(self, answer: AspectVerdict) -> str | None:
        """Demand a decision."""
        return "Decide: declined or answered." if answer.verdict == "idk" else None


class AnswerPart(Answer):
    """One part of the question, and whether it is answered."""

    part: Text
    reason: str | None = None
    verdict: VerdictField

    def as_verdict(self) -> Verdict:
        """Return the verdict on the part."""
        return Verdict(self.part, self.verdict, self.reason)


class AnswerParts(Answer):
    """All parts of the question, in order."""

    verdicts: tuple[AnswerPart, ...]


@dataclass(frozen=True, kw_only=True)
class JudgeParts(Prompt[AnswerParts]):
    """Ask for the parts of the input, and for answered or unanswered on each."""

    answer = AnswerParts
    instruction = """\
List the parts of the input: each thing that it asks for, once, self-contained, in order. Split where one could be \
answered without the other ("when and where", a list, two questions); a condition or a reason for asking is no part. \
A plain question has one part. Decide for each:
answered: the actual output gives what this part asks for, right or wrong, or says that it does not exist.
unanswered: it leaves it out, speaks only about it, or says that it does not know."""
    labels = verdict_labels(yes="answered", no="unanswered")

    input: str
    actual_output: str

    def bounds(self) -> AnswerBounds:
        """Bound the number of parts by the length of the input."""
        return AnswerBounds(lists={"verdicts": (1, most_entries([self.input]))})

    def check(self, answer: AnswerParts) -> str | None:
        """Demand at least one part."""
        return None if answer.verdicts else "There is no part: the input asks for at least one thing."
