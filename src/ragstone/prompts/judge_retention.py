"""Does each reply of a conversation keep in mind what the user has said?"""

from dataclasses import dataclass

from ragstone.prompts.base.prompt import TurnsPrompt
from ragstone.verdict import verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeRetention(TurnsPrompt):
    """Ask for remembered or forgotten on each turn of the assistant."""

    instruction = """\
Decide for each of the {replies} assistant turns, in order, whether it keeps in mind what the user had said by then.
remembered: it does; confirming something, or asking to make it more precise, is no forgetting.
forgotten: it asks for what was said, contradicts it, or acts as if it had not been said; name what was forgotten."""
    labels = verdict_labels(yes="remembered", no="forgotten")
