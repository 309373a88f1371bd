"""Which facts do the passages state?"""

from collections import Counter
from dataclasses import dataclass
from typing import Annotated

from pydantic import model_validator

from ragstone.prompts.base.answer import Answer, DropBlanks, Text
from ragstone.prompts.base.prompt import SPLIT, Prompt, check_in_range
from ragstone.prompts.base.schema import AnswerBounds, most_entries


class Truth(Answer):
    """A fact, and the number of the passage that states it; a bare text is a fact of an unknown passage."""

    passage: int | None = None
    fact: Text

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, data: object) -> object:
        return {"fact": data} if isinstance(data, str) else data


class Truths(Answer):
    """Facts in the order of the passages."""

    truths: Annotated[tuple[Truth, ...], DropBlanks]

    @property
    def facts(self) -> tuple[str, ...]:
        """The facts as texts."""
        return tuple(truth.fact for truth in self.truths)


@dataclass(frozen=True, kw_only=True)
class ExtractTruths(Prompt[Truths]):
    """Ask for the facts that passages state, at most `limit` of each passage."""

    answer = Truths
    instruction = f"""\
List {{which}} facts the passages state, each with its passage's number, in the passage's language. {SPLIT}\
Of two facts that contradict each other list both. A question with its answer is one fact."""
    cites = "passages"

    passages: tuple[str, ...]
    limit: int | None = None

    def task(self) -> str:
        """Say how many facts are wanted."""
        which = "all" if self.limit is None else f"for each passage the {self.limit} most important"
        return self.instruction.replace("{which}", which)

    def bounds(self) -> AnswerBounds:
        """Bound the number of facts by the limit, or by the length of the passages."""
        limited = None if self.limit is None else self.limit * len(self.passages)
        most = most_entries(self.passages) if limited is None else limited
        return AnswerBounds(lists={"truths": (0, most)}, numbers=super().bounds().numbers)

    def check(self, answer: Truths) -> str | None:
        """Demand passage numbers that exist, and no more facts of a passage than were asked for."""
        counts = Counter(truth.passage for truth in answer.truths if truth.passage is not None)
        over = [number for number, count in counts.items() if self.limit is not None and count > self.limit]
        if over:
            return f"More than {self.limit} facts of passage {', '.join(map(str, sorted(over)))}."
        return check_in_range(counts, len(self.passages))
