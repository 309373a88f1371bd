"""Is each statement relevant to the input? Which passage supports it?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Answer, Decisions
from ragstone.prompts.base.numbered import NumberedPrompt, SentenceVerdict, first_words
from ragstone.prompts.base.prompt import Prompt, check_in_range
from ragstone.verdict import Verdict, verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeStatements(Prompt[Decisions]):
    """Ask for relevant, supporting or irrelevant on each statement."""

    answer = Decisions
    instruction = """\
Decide for each statement whether it helps to answer the input; whether it is true does not matter.
relevant: it answers the input or a part of it, as half of a comparison, or says that the answer is not known.
supporting: it does not answer, but explains, limits or qualifies the answer: a reason, an example.
irrelevant: it is off the topic, about another thing than was asked, or an empty evasion.
Asked "When do you open?": "At 9." relevant, "Hours change in winter." supporting, "We have a café." irrelevant."""
    labels = verdict_labels(yes="relevant", no="irrelevant", idk="supporting")
    one_per = "statements"
    noun = "statement"

    input: str
    statements: tuple[str, ...]


class Attribution(SentenceVerdict):
    """A sentence or statement, and the passage that supports it, if one does."""

    def as_verdict(self) -> Verdict:
        """Return the verdict on the statement."""
        passage = self.passage if self.verdict == "yes" else None
        return self.evidence.verdict(self.statement, self.verdict, self.reason, passage)


class Attributions(Answer):
    """All sentences or statements of the expected output."""

    verdicts: tuple[Attribution, ...]


@dataclass(frozen=True, kw_only=True)
class AttributeStatements(NumberedPrompt[Attributions]):
    """Ask for a supporting passage for each sentence of the expected output."""

    answer = Attributions
    instruction = """\
Decide for each listed sentence, as part of the answer to the input, whose facts are given; first name the passage \
that says most.
supported: alone or together the passages state or directly imply all of it, even if another contradicts it; or it \
states nothing, or rightly that they are silent.
unsupported: they do not; passage null."""
    labels = verdict_labels(yes="supported", no="unsupported")
    cites = "passages"
    listed_as = "its sentences (first words)"

    passages: tuple[str, ...]
    input: str
    expected_output: str

    def split(self) -> tuple[str, ...]:
        """Return the expected output."""
        return (self.expected_output,)

    def listed(self) -> tuple[str, ...]:
        """Return the first words of each sentence."""
        return first_words([item.text for item in self.sentences])

    def check(self, answer: Attributions) -> str | None:
        """Demand one verdict for each sentence, or at least one statement, and passage numbers that exist."""
        problem = super().check(answer)
        return problem or check_in_range((verdict.passage for verdict in answer.verdicts), len(self.passages))
