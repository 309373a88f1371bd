"""The shape of a judge: a typed prompt in, a typed answer out, and what it took. A class of your own will do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from ragstone.prompts import Answer, Prompt
from ragstone.result import NO_USAGE, Usage

A = TypeVar("A", bound=Answer)
A_co = TypeVar("A_co", bound=Answer, covariant=True)


@dataclass(frozen=True, slots=True)
class Reply(Generic[A_co]):
    """An answer, and what it took to get it.

    Attributes:
        answer: the answer, its contract checked.
        usage: calls and tokens, re-asks included.
        cost: US dollars; None where the model's price is not known.
        request: the user message that was sent, for those who want to look; empty where none was.
        response: the text that came back.
        about: how the answer came about, where several had a say; `Result.metadata["jury"]` keeps it.
        recorded: whether it was not asked for now, but found in a cache or in an earlier part of the run.
    """

    answer: A_co
    usage: Usage = NO_USAGE
    cost: float | None = None
    request: str = ""
    response: str = ""
    about: Mapping[str, Any] = field(default_factory=dict[str, Any])
    recorded: bool = False


@runtime_checkable
class Judge(Protocol):
    """Answers typed prompts."""

    @property
    def name(self) -> str:
        """What reports call this judge, such as `openai:gpt-4o-mini`."""
        ...

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the answer to `prompt`.

        Raises:
            JudgeError: there is no answer: `CannotJudge`, `UnreadableAnswer`, `ProviderError`, `TimedOut`.
        """
        ...
