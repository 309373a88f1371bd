"""What is each passage worth: relevant statements, use for the expected output, agreement with the actual output."""

from dataclasses import dataclass, field

from ragstone.prompts.base.answer import Answer, Decisions
from ragstone.prompts.base.numbered import NumberedPrompt, SentenceVerdict, first_words
from ragstone.prompts.base.prompt import GIVEN, OPTIONAL, Prompt, check_in_range
from ragstone.text.preparation import prepared
from ragstone.verdict import Verdict, verdict_labels


class PassageStatement(SentenceVerdict):
    """A sentence or statement of a passage, and whether it is relevant.

    Attributes:
        passage: number of its passage.
    """

    passage: int = 0  # pyright: ignore[reportIncompatibleVariableOverride]  (a number it is, not None)

    def as_verdict(self) -> Verdict:
        """Return the verdict on the statement."""
        return self.evidence.verdict(self.statement, self.verdict, self.reason, self.passage)


class PassageStatements(Answer):
    """The sentences or statements of all passages."""

    verdicts: tuple[PassageStatement, ...]


@dataclass(frozen=True, kw_only=True)
class JudgePassages(NumberedPrompt[PassageStatements]):
    """Ask for relevant or irrelevant on each sentence of the passages, which are numbered through."""

    answer = PassageStatements
    instruction = """\
Decide for each listed sentence, as it stands in its passage; reasons here have at most 8 words.
relevant: at least a part of it belongs in a good answer to the input: what is asked, or a condition, exception or \
reason of it.
irrelevant: anything else, even on the same subject; so is a heading, a cut fragment or an empty passage."""
    labels = verdict_labels(yes="relevant", no="irrelevant")
    reason_words = 8
    listed_as = "sentences (first words)"

    passages: tuple[str, ...]
    input: str

    def split(self) -> tuple[str, ...]:
        """Return the passages as prose: a row of a table with its header, an item of a list with its lead-in."""
        return tuple(prepared(passage, "prose").text for passage in self.passages)

    def listed(self) -> tuple[str, ...]:
        """Return the first words of each sentence, behind the passage's number where a passage begins."""
        previous_parts = (0, *(sentence.part for sentence in self.sentences))
        names = first_words([item.text for item in self.sentences])
        return tuple(
            f"passage {item.part}: {name}" if item.part != part else name
            for item, part, name in zip(self.sentences, previous_parts, names, strict=False)
        )

    def check(self, answer: PassageStatements) -> str | None:
        """Demand one verdict for each sentence, or statements of every passage, and of no other."""
        problem = super().check(answer)
        if problem:
            return problem
        numbers = {verdict.passage for verdict in answer.verdicts}
        missing = [number for number in range(1, len(self.passages) + 1) if number not in numbers]
        if missing:
            return f"No statement of passage {', '.join(map(str, missing))}: every passage has at least one."
        return check_in_range(numbers, len(self.passages))


@dataclass(frozen=True, kw_only=True)
class JudgeUsefulness(Prompt[Decisions]):
    """Ask for useful or not_useful on each passage, in rank order."""

    answer = Decisions
    instruction = """\
Decide for each passage, taken alone, whether it helps to arrive at the expected output, read as the answer to the \
input.
useful: at least a part of one statement of the expected output follows from it.
not_useful: none does, though it may share the topic or only contradicts the expected output; so is an empty one. \
Expected "Entry costs 5 euros.", passage "Entry is until 6 pm." -> not_useful."""
    labels = verdict_labels(yes="useful", no="not_useful")
    one_per = "passages"
    noun = "passage"

    passages: tuple[str, ...]
    input: str
    expected_output: str


@dataclass(frozen=True, kw_only=True)
class JudgeAgreement(Prompt[Decisions]):
    """Ask on each context whether the output agrees with it or contradicts it.

    Attributes:
        contexts: what the output is compared with.
        input: the question that the output answers; empty where there is none.
        actual_output: what is judged.
    """

    answer = Decisions
    instruction = f"""\
Decide for each passage, taken alone, whether the actual output contradicts it. {GIVEN}
agrees: no; so too if they speak of different things, one says more, or a condition is left out.
contradicts: on the same point the output gives another number, date, name, negation, condition or relation.
The reason quotes the closest words, or says "different subjects". Passage "Open until 6 pm.", output "Until 8." -> \
contradicts."""
    labels = verdict_labels(yes="agrees", no="contradicts")
    one_per = "contexts"
    noun = "passage"

    contexts: tuple[str, ...] = field(metadata={"label": "passages"})
    input: str = field(default="", metadata=OPTIONAL)
    actual_output: str
