"""The base class of judges: a judge takes a typed prompt and returns a typed answer with its cost.

Only `name` and `ask` are needed. Everything else has a default. A class of your own that does not derive from `Judge`
is adapted (`judges.adapted`), which uses the other attributes if the class has them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Generic, Protocol, TypeVar, cast

from ragstone.errors import BadOption
from ragstone.judges.detection.detector import Detector
from ragstone.judges.limits import JudgeLimits
from ragstone.prompts import Answer, Prompt
from ragstone.result import NO_USAGE, Usage

A = TypeVar("A", bound=Answer)
A_co = TypeVar("A_co", bound=Answer, covariant=True)


@dataclass(frozen=True, slots=True)
class Reply(Generic[A_co]):
    """An answer with its usage and cost.

    Attributes:
        answer: the answer, already checked against its prompt.
        usage: calls and tokens, re-asks included.
        cost: US dollars; None where the model's price is not known.
        request: the user message that was sent, for inspection; empty where none was.
        response: the text that came back.
        about: details of the vote, if several judges voted; `Result.metadata["jury"]` holds it.
        recorded: whether it came from a cache or an earlier part of the run instead of the judge.
    """

    answer: A_co
    usage: Usage = NO_USAGE
    cost: float | None = None
    request: str = ""
    response: str = ""
    about: Mapping[str, Any] = field(default_factory=dict[str, Any])
    recorded: bool = False


class Asked(Protocol):
    """An object of any class that answers prompts."""

    async def ask(self, prompt: Any, /) -> Any:  # noqa: ANN401  (a class may answer prompts of one type only)
        """Return the answer to `prompt`, or a `Reply`."""
        ...


JudgeLike = Asked | Detector
"""An object that is accepted as a judge: a `Judge`, an object with a method `ask`, or a detector."""


class Judge:
    """Base of every judge: answers typed prompts.

    Attributes:
        limits: limits of concurrency and rate that all runs share; None if each run has only its own.
        works_offline: whether it needs neither network nor cache.
        cacheable: whether `fingerprint` identifies answers, so that they may be cached.
        dry_run: whether it only estimates, so that no request may be sent for it.
        reads_examples: whether other words in a prompt, such as examples, may change its answers.
        combines: whether it answers a `CombinedPrompt`, several prompts about the same evidence in one request.
        blind_spots: what it is known not to notice, in sentences, for the notes of the report.
    """

    limits: JudgeLimits | None = None
    works_offline: bool = False
    cacheable: bool = False
    dry_run: bool = False
    reads_examples: bool = True
    combines: bool = False
    blind_spots: Sequence[str] = ()

    @property
    def name(self) -> str:
        """The name shown in reports, such as `openai:gpt-4o-mini`."""
        return type(self).__name__

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the answer to `prompt`.

        Raises:
            JudgeError: there is no answer: `CannotJudge`, `UnreadableAnswer`, `ProviderError`, `TimedOut`.
        """
        raise NotImplementedError

    def can_answer(self, prompt: type[Prompt[Any]]) -> bool:
        """Return whether it can answer prompts of a kind at all; a run refuses metrics that ask others."""
        del prompt
        return True

    def judge_of(self, prompt: type[Prompt[Any]]) -> str:
        """Return the name of the judge that answers prompts of a kind: another one, if this one passes them on."""
        del prompt
        return self.name

    def recall(self, prompt: Prompt[A]) -> Reply[A] | None:
        """Return the answer to `prompt` if it is known without a request; must not block."""
        del prompt
        return None

    def keep(self, prompt: Prompt[A], reply: Reply[A]) -> None:
        """Store the reply to a prompt that was asked as part of a combined prompt, so that `recall` finds it."""

    def fingerprint(self, prompt: Prompt[Any]) -> str | None:
        """Return text that is equal for two prompts only if they may share an answer; None to cache no answer."""
        del prompt
        return None

    def price(self, usage: Usage) -> float | None:
        """Return what `usage` costs in US dollars, None where that is not known."""
        del usage
        return None

    @property
    def has_prices(self) -> bool:
        """Whether a budget can be kept: each reply, or `price`, says what a call costs."""
        return True

    def wording(self, prompt: type[Prompt[Any]]) -> str | None:
        """Return the digest of the wording of a prompt; None if the wording does not matter to this judge."""
        del prompt
        return None

    def tuned_threshold(self, spec: str) -> float | None:
        """Return the threshold tuned with this judge for the metric with that spec; None to use the metric's own."""
        del spec
        return None

    def wrapped(self, wrap: "Callable[[Judge], Judge]") -> "Judge":
        """Return this judge with `wrap` around it; one that asks several judges has each of them wrapped."""
        return wrap(self)

    def in_batches(self) -> "Judge":
        """Return this judge with requests sent through the vendor's batch API.

        Raises:
            BadOption: there is no batch API.
        """
        raise BadOption(
            f"The judge {self.name} cannot be asked in batches: only OpenAI and Anthropic support them. Write "
            "judge='openai' or 'anthropic' (--judge openai), or leave batch out."
        )


_ATTRIBUTES = ("limits", "works_offline", "cacheable", "dry_run", "reads_examples", "combines", "blind_spots")


def _of_wrapped_judge(name: str) -> Any:  # noqa: ANN401  (what the member is)
    return property(attrgetter(f"judge.{name}"))


class JudgeWrapper(Judge):
    """A judge that wraps another one. Members that a subclass does not override are those of the wrapped judge.

    Attributes:
        judge: the wrapped judge.
    """

    name = _of_wrapped_judge("name")  # pyright: ignore[reportIncompatibleMethodOverride]
    ask = _of_wrapped_judge("ask")
    can_answer = _of_wrapped_judge("can_answer")
    recall = _of_wrapped_judge("recall")
    keep = _of_wrapped_judge("keep")
    fingerprint = _of_wrapped_judge("fingerprint")
    price = _of_wrapped_judge("price")
    has_prices = _of_wrapped_judge("has_prices")  # pyright: ignore[reportIncompatibleMethodOverride]
    wording = _of_wrapped_judge("wording")
    tuned_threshold = _of_wrapped_judge("tuned_threshold")

    def __init__(self, judge: Judge) -> None:
        """Wrap `judge`."""
        self.judge = judge
        for name in _ATTRIBUTES:
            setattr(self, name, getattr(judge, name))

    def judge_of(self, prompt: type[Prompt[Any]]) -> str:
        """Return the name of the judge to which the wrapped judge passes prompts of a kind; else the own name."""
        found = self.judge.judge_of(prompt)
        return self.name if found == self.judge.name else found


def limits_of(judge: object) -> JudgeLimits:
    """Return the limits of a judge; new ones for a judge that has none of its own."""
    limits = cast("object", getattr(judge, "limits", None))
    return limits if isinstance(limits, JudgeLimits) else JudgeLimits()
