"""What each reply of a conversation is: relevant, mindful of what the user said, in the assistant's role."""

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


@dataclass(frozen=True, kw_only=True)
class JudgeRetention(TurnsPrompt):
    """Ask for remembered or forgotten on each turn of the assistant."""

    instruction = """\
Decide for each of the {replies} assistant turns, in order, whether it keeps in mind what the user had said by then.
remembered: it does; confirming something, or asking to make it more precise, is no forgetting.
forgotten: it asks for what was said, contradicts it, or acts as if it had not been said; name what was forgotten."""
    labels = verdict_labels(yes="remembered", no="forgotten")


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
