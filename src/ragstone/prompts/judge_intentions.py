"""Did the user of a conversation get what was wanted?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt, check_one_verdict_each


@dataclass(frozen=True, kw_only=True)
class JudgeIntentions(Prompt[Decisions]):
    """Ask for yes (satisfied) or no on each intention."""

    answer = Decisions
    instruction = """\
Decide for each intention whether the user got it by the end of the conversation.
yes: the assistant gave or did what was wanted, or said rightly why it cannot be had. \
no: it did not, only in part, or only promised to."""

    turns: tuple[str, ...]
    intentions: tuple[str, ...]

    def check(self, answer: Decisions) -> str | None:
        """Demand one verdict for each intention."""
        return check_one_verdict_each(len(answer.verdicts), len(self.intentions), "intention")
