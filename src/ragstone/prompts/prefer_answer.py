"""Which of two answers is better? Asked in both orders, it tells whether a judge looks at place or answer."""

from dataclasses import dataclass
from typing import Literal

from ragstone.prompts.base.answer import Answer
from ragstone.prompts.base.prompt import Prompt

PreferredAnswer = Literal["first", "second", "tie"]


class Preference(Answer):
    """The better answer, and why."""

    reason: str
    choice: PreferredAnswer


@dataclass(frozen=True, kw_only=True)
class PreferAnswer(Prompt[Preference]):
    """Ask for the better of two answers: first, second, or tie."""

    answer = Preference
    instruction = """\
Decide which of two answers to the input is better: correct according to the passages, complete, and relevant.
first or second: that answer is better. tie: neither is.
In which order they stand, and how long they are, does not matter."""

    passages: tuple[str, ...]
    input: str
    first: str
    second: str
