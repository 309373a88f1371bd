"""Which facts do the passages state?"""

from dataclasses import dataclass

from ragstone.prompts.base.answer import Answer, Text
from ragstone.prompts.base.prompt import Prompt


class Truths(Answer):
    """Facts in the order of the passages."""

    truths: tuple[Text, ...]


@dataclass(frozen=True, kw_only=True)
class ExtractTruths(Prompt[Truths]):
    """Ask for the facts that passages state, at most `limit` of each passage."""

    answer = Truths
    instruction = (
        "List {which} facts the passages state: self-contained (pronouns resolved), one fact each, in the passage's "
        "own language, with every number, name and condition; add none, lose none."
    )

    passages: tuple[str, ...]
    limit: int | None = None

    def task(self) -> str:
        """Say how many facts are wanted."""
        which = "all" if self.limit is None else f"for each passage the {self.limit} most important"
        return self.instruction.format(which=which)
