"""Does each reply of a conversation keep to the assistant's role?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt, check_one_verdict_each


@dataclass(frozen=True, kw_only=True)
class JudgeRole(Prompt[Decisions]):
    """Ask for yes (in the role) or no on each turn of the assistant.

    Attributes:
        role: what the assistant is meant to be.
        turns: the conversation, each turn with its role.
        replies: how many turns are the assistant's.
    """

    answer = Decisions
    instruction = """\
Decide for each of the {replies} assistant turns, in order, whether it keeps to the role.
yes: what it says, knows, promises and how it speaks fit the role, or the role says nothing of it.
no: it speaks or acts as the role would not; name what does not fit."""

    role: str
    turns: tuple[str, ...]
    replies: int

    def task(self) -> str:
        """Say how many verdicts are wanted."""
        return self.instruction.format(replies=self.replies)

    def check(self, answer: Decisions) -> str | None:
        """Demand one verdict for each turn of the assistant."""
        return check_one_verdict_each(len(answer.verdicts), self.replies, "assistant turn")
