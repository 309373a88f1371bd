"""Is each statement relevant to the input?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt
from ragstone.verdict import verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeStatements(Prompt[Decisions]):
    """Ask for relevant, supporting or irrelevant on each statement."""

    answer = Decisions
    instruction = """\
Decide for each statement whether it helps to answer the input; whether it is true does not matter.
relevant: it answers the input or a part of it, or says that the answer is not known.
supporting: it does not answer, but explains, limits or qualifies the answer.
irrelevant: it is off the topic, or about another thing than was asked.
Asked "When do you open?": "At 9." relevant, "Hours change in winter." supporting, "We have a café." irrelevant."""
    labels = verdict_labels(yes="relevant", no="irrelevant", idk="supporting")
    one_per = "statements"
    noun = "statement"

    input: str
    statements: tuple[str, ...]
