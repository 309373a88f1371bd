"""Does each reply of a conversation answer what was said before it?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt, check_one_verdict_each


@dataclass(frozen=True, kw_only=True)
class JudgeReplies(Prompt[Decisions]):
    """Ask for yes (relevant) or no on each turn of the assistant.

    Attributes:
        turns: the conversation, each turn with its role.
        replies: how many turns are the assistant's.
    """

    answer = Decisions
    instruction = """\
Decide for each of the {replies} assistant turns, in order, whether it is a relevant reply at that point.
yes: it takes up what the user said or asked, here or before; a fitting question back, greeting or refusal too.
no: it is about something else, or passes over what the user said."""

    turns: tuple[str, ...]
    replies: int

    def task(self) -> str:
        """Say how many verdicts are wanted."""
        return self.instruction.format(replies=self.replies)

    def check(self, answer: Decisions) -> str | None:
        """Demand one verdict for each turn of the assistant."""
        return check_one_verdict_each(len(answer.verdicts), self.replies, "assistant turn")
