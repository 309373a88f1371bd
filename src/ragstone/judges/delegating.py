"""A judge that answers some kinds of prompts itself and passes the others on to another judge."""

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from ragstone.judges.base import Judge, Reply
from ragstone.prompts import Answer, Prompt
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, kw_only=True)
class DelegatingJudge(Judge):
    """Base of judges for some kinds of prompts.

    Attributes:
        others: the judge of the other prompts; the embedded one if None.
        name: the name shown in reports.
    """

    reads_examples: ClassVar[bool] = False  # pyright: ignore[reportIncompatibleVariableOverride]

    others: Judge | None = None
    name: str = ""  # pyright: ignore[reportIncompatibleMethodOverride]
    _others: Judge = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Find the other judge."""
        from ragstone.judges.local import LocalJudge  # noqa: PLC0415  (loads the analysis of texts)

        object.__setattr__(self, "_others", self.others or LocalJudge())

    @abstractmethod
    def answers(self, prompt: type[Prompt[Any]]) -> bool:
        """Return whether it answers prompts of a kind itself."""

    @abstractmethod
    async def answer(self, prompt: Prompt[Any]) -> Reply[Any]:
        """Return the answer to a prompt of such a kind; see `Judge.ask`."""

    @abstractmethod
    def own_fingerprint(self, prompt: Prompt[Any]) -> str | None:
        """Return the fingerprint of a prompt of such a kind; see `Judge.fingerprint`."""

    def can_answer(self, prompt: type[Prompt[Any]]) -> bool:
        """Return whether one of the two can answer prompts of a kind."""
        return self.answers(prompt) or self._others.can_answer(prompt)

    def judge_of(self, prompt: type[Prompt[Any]]) -> str:
        """Return the name of the judge that answers prompts of a kind."""
        return self.name if self.answers(prompt) else self._others.judge_of(prompt)

    def fingerprint(self, prompt: Prompt[Any]) -> str | None:
        """Return the fingerprint of a prompt by the judge that answers it."""
        return (
            self.own_fingerprint(prompt) if self.answers(type(prompt)) else self._others.fingerprint(prompt)
        )

    def price(self, usage: Usage) -> float | None:
        """Return what the other judge's usage costs."""
        return self._others.price(usage)

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the answer of the judge of such prompts; see `Judge.ask`."""
        return await (self.answer(prompt) if self.answers(type(prompt)) else self._others.ask(prompt))
