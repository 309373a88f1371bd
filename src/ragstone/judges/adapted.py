"""Objects of any class as judges: one with a method `ask` or with a method `detect`."""

from typing import Any, TypeVar, cast

from ragstone.judges.base import Asked, Judge, JudgeLike, Reply
from ragstone.judges.detection.detector import Detector
from ragstone.judges.limits import JudgeLimits
from ragstone.prompts import Answer, Prompt
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)


class AdaptedJudge(Judge):
    """Adapter that makes a `Judge` of an object with a method `ask`. Only this class looks for optional attributes."""

    def __init__(self, judge: Asked) -> None:
        """Adapt `judge`, with those attributes of a `Judge` that it has."""
        self.judge: Any = judge
        limits = getattr(judge, "limits", None)
        self.limits = limits if isinstance(limits, JudgeLimits) else None
        self.works_offline = bool(getattr(judge, "works_offline", False))
        self.cacheable = callable(getattr(judge, "fingerprint", None))

    @property
    def name(self) -> str:
        """The object's own name, or that of its class."""
        return str(getattr(self.judge, "name", type(self.judge).__name__))

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the object's answer; a bare answer becomes a reply of unknown cost."""
        reply: Reply[A] | A = await self.judge.ask(prompt)
        return Reply(reply) if isinstance(reply, Answer) else reply

    def recall(self, prompt: Prompt[A]) -> Reply[A] | None:
        """Return what the object's `recall` returns."""
        return self._called("recall", prompt)

    def fingerprint(self, prompt: Prompt[Any]) -> str | None:
        """Return what the object's `fingerprint` returns."""
        return self._called("fingerprint", prompt) if self.cacheable else None

    def price(self, usage: Usage) -> float | None:
        """Return what the object's `price` returns."""
        return self._called("price", usage)

    @property
    def has_prices(self) -> bool:
        """Whether the object's `price`, if it has one, knows prices."""
        return not hasattr(self.judge, "price") or self.price(Usage(input_tokens=1)) is not None

    def wording(self, prompt: type[Prompt[Any]]) -> str | None:
        """Return what the object's `wording` returns."""
        return self._called("wording", prompt)

    def _called(self, name: str, argument: object) -> Any:  # noqa: ANN401  (what the method returns)
        method = getattr(self.judge, name, None)
        return method(argument) if method else None


def as_judge(judge: JudgeLike) -> Judge:
    """Return `judge` as it is if it is a `Judge`, else adapted."""
    if isinstance(judge, Judge):
        return judge
    if callable(getattr(judge, "ask", None)):
        return AdaptedJudge(cast("Asked", judge))
    from ragstone.judges.detector import DetectorJudge  # noqa: PLC0415  (few judges are detectors)

    return DetectorJudge(detector=cast("Detector", judge))
