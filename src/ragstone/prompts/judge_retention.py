"""Does each reply of a conversation keep in mind what the user has said?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt, check_one_verdict_each


@dataclass(frozen=True, kw_only=True)
class JudgeRetention(Prompt[Decisions]):
    """Ask for yes (kept in mind) or no on each turn of the assistant.

    Attributes:
        turns: the conversation, each turn with its role.
        replies: how many turns are the assistant's.
    """

    answer = Decisions
    instruction = """\
Decide for each of the {replies} assistant turns, in order, whether it keeps in mind what the user had told by then.
no: it asks for what was told, contradicts it, or acts as if it had not been told; name what was forgotten.
yes: it does not; confirming something, or asking to make it more precise, is no forgetting."""

    turns: tuple[str, ...]
    replies: int

    def task(self) -> str:
        """Say how many verdicts are wanted."""
        return self.instruction.format(replies=self.replies)

    def check(self, answer: Decisions) -> str | None:
        """Demand one verdict for each turn of the assistant."""
        return check_one_verdict_each(len(answer.verdicts), self.replies, "assistant turn")
