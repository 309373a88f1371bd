"""Questions for a test set: which sentences to ask about, the question, and whether others arrive at its answer."""

from dataclasses import dataclass, field
from typing import Literal

from ragstone.prompts.base.answer import Answer, Decisions, Text
from ragstone.prompts.base.prompt import OPTIONAL, UNRENDERED, Prompt, with_values
from ragstone.prompts.base.schema import AnswerBounds
from ragstone.verdict import verdict_labels

_MAX_SENTENCES = 3
_KIND_INSTRUCTIONS = {
    "table": "Ask for one value of the rows, and name its row and its column.",
    "multi": "Ask one question that needs all of the passages: each gives a part of the answer that the others lack.",
    "comparison": "Ask which of two things in the passages has more, comes first or differs, and how.",
    "follow_up": "The earlier turn is a question and its answer. Ask the next question of the same user: it may leave "
    "out what the earlier turn names, and the passages answer it.",
    "false_premise": "Ask a question that takes something for granted which the passages deny. The answer corrects it "
    "with their words.",
    "unanswerable": "Ask for something specific that a reader of the passages would expect to learn there and that "
    "they do not say. The answer is one dash.",
}


class DraftEvidence(Answer):
    """Whether a passage states something worth asking about, and the numbers of the sentences that do."""

    reason: str
    found: Literal["yes", "no"]
    sentences: tuple[int, ...]


class DraftedQuestion(Answer):
    """A question and its expected answer."""

    question: Text
    answer: Text


class DraftReply(Answer):
    """An answer to a drafted question, or the statement that there is none."""

    answer: str
    found: Literal["yes", "no"]


@dataclass(frozen=True, kw_only=True)
class SelectDraftEvidence(Prompt[DraftEvidence]):
    """Ask for the sentences of a passage that a test question may rest on."""

    answer = DraftEvidence
    instruction = """\
Choose one fact that somebody who uses this material may need and that can be checked: a number, date, name, \
definition, condition or step. Give the numbers of the one to three sentences that state it completely; more than one \
only where one alone does not.
found: no if there is no such fact, as in navigation, examples, opinions and licence texts; then give 1."""

    sentences: tuple[str, ...]

    def bounds(self) -> AnswerBounds:
        """Allow up to three of the sentences."""
        return AnswerBounds(
            lists={"sentences": (1, _MAX_SENTENCES)},
            numbers={"sentences": range(1, len(self.sentences) + 1)},
        )

    def check(self, answer: DraftEvidence) -> str | None:
        """Demand numbers of sentences that exist, three at most."""
        wrong = [number for number in answer.sentences if not 1 <= number <= len(self.sentences)]
        if wrong:
            return f"There is no sentence {wrong[0]}: they are numbered from 1 to {len(self.sentences)}."
        valid_count = 1 <= len(answer.sentences) <= _MAX_SENTENCES
        return None if valid_count else f"Give one to {_MAX_SENTENCES} numbers."


@dataclass(frozen=True, kw_only=True)
class WriteDraftQuestion(Prompt[DraftedQuestion]):
    """Ask for a question that quotes answer, and for its answer.

    Attributes:
        passages: the quotes.
        headings: what stands above them.
        earlier_turn: question and answer of the turn before, for a follow-up.
        kind: what the question asks for; see `ragstone.drafts`.
    """

    answer = DraftedQuestion
    instruction = """\
Write one question that a user of this material would ask and that these passages answer, and the answer, in the \
passages' language. {kind}
The question is understood by somebody who has not seen the passages: it names what it is about, and never mentions \
"the passage", "the text" or "the document". It takes over at most six words in a row and does not give the answer \
away. The answer is as short as it can be and states nothing that the passages do not state; keep numbers, dates and \
names as they are written."""

    passages: tuple[str, ...]
    headings: str = field(default="", metadata=OPTIONAL)
    earlier_turn: str = field(default="", metadata=OPTIONAL)
    kind: str = field(default="single", metadata=UNRENDERED)

    def task(self) -> str:
        """Say what kind of question is wanted."""
        kind = _KIND_INSTRUCTIONS.get(self.kind, "Ask for one fact.")
        return with_values(self.instruction, {"kind": kind})


@dataclass(frozen=True, kw_only=True)
class AnswerDraftQuestion(Prompt[DraftReply]):
    """Ask a reader of some passages for the answer to a question."""

    answer = DraftReply
    instruction = """\
Answer the question by the passages alone, as briefly as it can be, in the question's language.
found: yes if they answer it completely, else no, with an empty answer. What a question takes for granted is not said \
by it: if the passages deny it, say so and write yes."""

    passages: tuple[str, ...]
    earlier_turn: str = field(default="", metadata=OPTIONAL)
    question: str


@dataclass(frozen=True, kw_only=True)
class RecallDraftAnswer(Prompt[DraftReply]):
    """Ask for the answer to a question without any passage; each attempt is a `repeat`."""

    answer = DraftReply
    instruction = """\
Here no text is given to take facts from: answer the question from your own knowledge, as briefly as it can be.
found: yes if you know the answer, else no, with an empty answer."""

    question: str

    @property
    def temperature(self) -> float | None:
        """Above 0, so that attempts differ."""
        return 0.7


@dataclass(frozen=True, kw_only=True)
class MatchDraftAnswers(Prompt[Decisions]):
    """Ask whether answers agree with the expected one."""

    answer = Decisions
    instruction = """\
Decide for each answer whether it gives the question the same answer as the expected one.
same: it states all that the question asks for, with the same numbers, dates and names; other words and more detail \
are no fault.
different: it gives another value, leaves out a part that was asked for, or says that it is not known."""
    labels = verdict_labels(yes="same", no="different")
    one_per = "answers"
    noun = "answer"

    question: str
    expected_output: str
    answers: tuple[str, ...]
