"""Does each reply of a conversation keep to the assistant's role?"""

from dataclasses import dataclass

from ragstone.prompts.base.prompt import TurnsPrompt
from ragstone.verdict import verdict_labels


@dataclass(frozen=True, kw_only=True)
class JudgeRole(TurnsPrompt):
    """Ask for in_role or out_of_role on each turn of the assistant.

    Attributes:
        role: what the assistant is meant to be.
    """

    instruction = """\
Decide for each of the {replies} assistant turns, in order, whether it keeps to the role.
in_role: what it says, knows and promises, and how it speaks, fit the role, or the role says nothing about it.
out_of_role: it speaks or acts as the role would not; name what does not fit."""
    labels = verdict_labels(yes="in_role", no="out_of_role")

    role: str
