"""Does each reply of a conversation answer what was said before it?"""

from dataclasses import dataclass

from ragstone.prompts.base.prompt import TurnsPrompt
from ragstone.verdict import verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeReplies(TurnsPrompt):
    """Ask for relevant or irrelevant on each turn of the assistant."""

    instruction = """\
Decide for each of the {replies} assistant turns, in order, whether it is a relevant reply at that point.
relevant: it responds to what the user said or asked, here or before; so do a clarifying question, a greeting and a \
refusal.
irrelevant: it is about something else, or ignores what the user said."""
    labels = verdict_labels(yes="relevant", no="irrelevant")
