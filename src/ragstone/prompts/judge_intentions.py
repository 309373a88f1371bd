"""Did the user of a conversation get what was wanted?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Decisions
from ragstone.prompts.base.prompt import Prompt
from ragstone.verdict import verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeIntentions(Prompt[Decisions]):
    """Ask for satisfied or unsatisfied on each intention."""

    answer = Decisions
    instruction = """\
Decide for each intention whether the user got it by the end of the conversation.
satisfied: the assistant gave or did what was wanted, or gave a correct reason why it is not possible.
unsatisfied: it did not, did so only in part, or only promised to."""
    labels = verdict_labels(yes="satisfied", no="unsatisfied")
    one_per = "intentions"
    noun = "intention"

    turns: tuple[str, ...]
    intentions: tuple[str, ...]
