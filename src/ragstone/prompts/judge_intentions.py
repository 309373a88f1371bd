"""What does the user of a conversation want, and is each want satisfied?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Answer, Decisions, Texts
from ragstone.prompts.base.prompt import Prompt
from ragstone.verdict import verdict_labels


class Intentions(Answer):
    """What the user wants, in the order in which it comes up; none where nothing is wanted."""

    intentions: Texts


@dataclass(frozen=True, kw_only=True)
class ExtractIntentions(Prompt[Intentions]):
    """Ask for what the user wants."""

    answer = Intentions
    instruction = """\
List what the user wants from this conversation: each want once, self-contained, however often it is repeated. Leave \
out wants that the user drops again, greetings and thanks. Where nothing is wanted the list is empty."""
    entries_of = "turns"

    turns: tuple[str, ...]


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
