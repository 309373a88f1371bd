"""The review of a whole test case: is the answer acceptable, what is wrong with it, and is the context sufficient?

One reading of the whole case, in one call. The answer names omissions and faults before it decides. "Sufficient
context" is the term of Joren et al., arXiv:2411.06037.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field
from pydantic.json_schema import SkipJsonSchema

from ragstone.prompts.base.answer import Answer, DropBlanks, Text, Texts
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.prompt import OPTIONAL, Prompt, check_in_range
from ragstone.prompts.base.schema import AnswerBounds, most_entries
from ragstone.text.quotes import find_quote

FaultKind = Literal[
    "wrong_number",
    "wrong_name",
    "wrong_date",
    "negation",
    "invented",
    "condition_dropped",
    "incomplete",
    "beside_the_question",
    "refused_though_answerable",
    "answered_without_evidence",
    "wrong_product",
    "stale",
    "table_misread",
    "arithmetic",
    "contradicts_reference",
    "other",
]
"""What is wrong with an answer."""

AnswerLabel = Literal["acceptable", "not_acceptable", "cannot_tell"]
ContextLabel = Literal["sufficient", "insufficient", "cannot_tell"]

REVIEW_LABELS = (
    ("answer", "acceptable", get_args(AnswerLabel)),
    ("context", "sufficient", get_args(ContextLabel)),
)
"""The two decisions: the property of the answer, its good label, and all its labels."""

_MAX_FAULTS = 8


def _label(value: object) -> object:
    """Return a label as it is written in the schema, whatever its case and blanks."""
    return (
        "_".join(value.strip(" .\"'").lower().replace("-", " ").split()) if isinstance(value, str) else value
    )


def _kind(value: object) -> object:
    """Return the kind of a fault; an unknown one is `other`: the quote and the reason say what it is."""
    label = _label(value)
    return label if label in get_args(FaultKind) or not isinstance(value, str) else "other"


class Fault(Answer):
    """Words of the actual output that are wrong.

    Attributes:
        quote: the words.
        kind: what is wrong with them.
        passage: number of the passage that shows it; None if none does.
        reason: why they are wrong.
    """

    quote: Text
    kind: Annotated[FaultKind, BeforeValidator(_kind)]
    passage: int | None = None
    reason: str


class CaseReview(Answer):
    """The review of a test case.

    Attributes:
        unanswered: what was asked and is not answered.
        faults: what is wrong with the actual output.
        deciding: numbers of the passages that a right answer rests on.
        answer: whether the actual output is acceptable.
        context: whether the passages together are sufficient.
        rank: number of the passage with the main point of the answer; None where there is none.
        acceptable_probability: probability of `acceptable`, where the model's tokens give it.
        sufficient_probability: probability of `sufficient`, likewise.
    """

    unanswered: Texts = ()
    faults: Annotated[tuple[Fault, ...], DropBlanks] = ()
    deciding: tuple[int, ...] = ()
    answer: Annotated[AnswerLabel, BeforeValidator(_label)]
    context: Annotated[ContextLabel, BeforeValidator(_label)]
    rank: int | None = None
    acceptable_probability: SkipJsonSchema[float | None] = Field(default=None, exclude=True)
    sufficient_probability: SkipJsonSchema[float | None] = Field(default=None, exclude=True)


@dataclass(frozen=True, kw_only=True)
class ReviewCase(Prompt[CaseReview]):
    """Ask whether the actual output may go out as the answer, and whether the passages hold what is needed.

    Attributes:
        passages: what was retrieved; None if it is not known.
        input: the question.
        actual_output: the answer; empty for a review of the passages alone.
        expected_output: a right answer, or several; empty if there is none.
    """

    answer = CaseReview
    instruction = """\
Would a careful expert who knows only these texts send the actual output as the answer to the input? Content \
counts, not style, length or language. An expected output is right, but not the only right answer.
unanswered: each thing the input asks for that the output leaves out, or says it cannot find although a passage has \
it. Not listed: what no passage holds, if the output says so; what nobody asked.
faults: the words of the output that would mislead the reader. Check every number, date, name, role, condition, \
exception and negation against its passage, and whether that passage is about the product, plan, person and time \
asked about. What neither passages, input nor expected output bear out is a fault, even if it is true. Left out \
conditions are faults only if they change what the reader should do.
No faults: paraphrase, fair rounding, right arithmetic, what the input says of the user, brevity, details beyond the \
expected output that a passage bears out, advice to ask elsewhere.
Each error is one fault, without the words that only follow from it: quote, the shortest wrong words, copied exactly \
from the actual output (for something missing, the words it should stand with); kind; passage, the one with what is \
right, or null; reason.
Kinds: exchanged roles are wrong_name; a figure from another row or column is table_misread; an answer where the \
passages are silent is answered_without_evidence, an added detail invented; a list that lacks entries is incomplete; \
what is true but no answer to the input is beside_the_question; contradicts_reference only if no other kind fits.
deciding: the passages that a right answer rests on; empty if they do not answer the input.
answer: acceptable if nothing is unanswered and there is no fault; not_acceptable otherwise; cannot_tell only if the \
texts contradict each other or cannot be understood.
context: sufficient if the passages together hold what a right answer to all of the input needs, whatever the output \
says; else insufficient; cannot_tell as above.
rank: the passage that answers the main thing asked, of several things the first; null if none does.
Input "Are you open on Sunday, and what is the entry?", passage "Tuesday to Sunday, 9 am to 6 pm; adults 5 euros.", \
output "Yes, until 8 pm." -> unanswered ["the entry"], one fault "until 8 pm", not_acceptable, sufficient, rank 1."""

    asked_alone = True

    passages: tuple[str, ...] | None = field(default=None)
    input: str
    actual_output: str = field(default="", metadata=OPTIONAL)
    expected_output: EvidenceText = field(default="", metadata=OPTIONAL)

    def task(self) -> str:
        """Return the instruction, with a line about a text that is not given."""
        lines = [self.instruction]
        if self.passages is None:
            lines.append("The passages are not given: judge by the expected output; context is cannot_tell.")
        if not isinstance(self.expected_output, str):
            lines.append("Each of the expected outputs is right; the one that fits best counts.")
        if not self.actual_output:
            lines.append("No actual output is given: unanswered and faults are empty, answer is cannot_tell.")
        return "\n".join(lines)

    def bounds(self) -> AnswerBounds:
        """Allow the numbers of passages, and bound the lists."""
        numbers = range(1, len(self.passages or ()) + 1)
        faults = _MAX_FAULTS if self.actual_output else 0
        return AnswerBounds(
            lists={
                "unanswered": (0, most_entries([self.input])),
                "faults": (0, faults),
                "deciding": (0, len(numbers)),
            },
            numbers=dict.fromkeys(("passage", "deciding", "rank"), numbers),
        )

    def check(self, answer: CaseReview) -> str | None:
        """Demand passages that exist."""
        cited = [*answer.deciding, answer.rank, *(fault.passage for fault in answer.faults)]
        return check_in_range(cited, len(self.passages or ()))

    def doubt(self, answer: CaseReview) -> str | None:
        """Doubt quotes that are not in the actual output, and a decision that its own findings contradict."""
        quotes = enumerate((fault.quote for fault in answer.faults), 1)
        if foreign := [str(n) for n, quote in quotes if find_quote(quote, self.actual_output) is None]:
            numbers = ", ".join(foreign)
            return f"Fault {numbers}: the quote is not in the actual output. Copy its words exactly."
        has_findings = bool(answer.faults or answer.unanswered)
        if answer.answer != "cannot_tell" and has_findings == (answer.answer == "acceptable"):
            listed = "something is" if has_findings else "nothing is"
            return f"answer is {answer.answer}, and {listed} listed as a fault or unanswered: correct one of them."
        return None
