"""A judge that is a language model behind a provider: render, send, read, ask again with what was wrong."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property, partial
from typing import Any, TypeVar, cast

from ragstone.errors import BadOption, JudgeError
from ragstone.judges.asking.fingerprint import fingerprint, identity
from ragstone.judges.asking.repair_loop import ask_with_repair
from ragstone.judges.asking.score_distribution import distribution
from ragstone.judges.base import Reply
from ragstone.judges.limits import Limits
from ragstone.prompts import Answer, FillForm, FormRating, Prompt
from ragstone.providers.base import Completion, Provider, Request
from ragstone.providers.prices import cost
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)

TOP_LOGPROBS = 20


@dataclass(frozen=True, kw_only=True)
class LLMJudge:
    """A language model as a judge.

    Attributes:
        provider: speaks the vendor's wire format.
        attempts: how often to ask at most for one answer that keeps its contract.
        temperature: sampling temperature where the prompt does not ask for another.
        replacements: prompts of your own that take the place of ragstone's: same fields, same answer, other words.
        prices: US dollars per million tokens by model, in place of the packaged table.
        limits: what may be asked at once and in a minute, by all runs together that ask this judge.
        batch: whether it is asked in batches, at the vendor's price for them.
    """

    provider: Provider
    attempts: int = 3
    temperature: float = 0.0
    replacements: Mapping[type[Prompt[Any]], type[Prompt[Any]]] = field(
        default_factory=dict[type[Prompt[Any]], type[Prompt[Any]]]
    )
    prices: Mapping[str, Any] | None = None
    limits: Limits = field(default_factory=Limits, repr=False, compare=False)
    batch: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        if self.attempts < 1:
            raise BadOption(f"attempts={self.attempts!r} asks nothing: write 1 or more")

    @property
    def name(self) -> str:
        """Vendor and model."""
        return f"{self.provider.name}:{self.provider.model}"

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the model's answer; see `Judge.ask`."""
        worded = self._worded(prompt)
        rendered = worded.render()
        user = rendered.user
        if not self.provider.supports_structured_outputs:
            user = f"{user}\n\n{_schema_in_words(type(worded))}"
        send = partial(self._send, worded, rendered.system)
        try:
            reply, completion = await ask_with_repair(worded, user, send, attempts=self.attempts)
        except JudgeError as error:
            error.cost = self.price(cast("Usage", error.spent))
            raise
        answer = _with_distribution(worded, reply.answer, completion)
        return replace(reply, answer=answer, cost=self.price(reply.usage, completion.model))

    def wording(self, prompt: type[Prompt[Any]]) -> str:
        """Return the digest of the words in which a prompt is put to the model."""
        return self.replacements.get(prompt, prompt).digest()

    def fingerprint(self, prompt: Prompt[Any]) -> str | None:
        """Return what decides the answer to `prompt`, by which it may be cached; None where that is not known."""
        if self._identity is None:
            return None
        worded = self._worded(prompt)
        return fingerprint(self._identity, worded, worded.render(), self._warmth(worded))

    def price(self, usage: Usage, model: str = "") -> float | None:
        """Return what `usage` costs in US dollars, None where the price of the model is not known."""
        return cost(model or self.provider.model, usage, self.prices, batch=self.batch)

    @cached_property
    def _identity(self) -> str | None:
        return identity(self.provider)

    def _warmth(self, prompt: Prompt[Any]) -> float:
        return self.temperature if prompt.temperature is None else prompt.temperature

    def _worded(self, prompt: Prompt[A]) -> Prompt[A]:
        other = self.replacements.get(type(prompt))
        if other is None:
            return prompt
        return cast("Prompt[A]", other(**{item.name: getattr(prompt, item.name) for item in fields(prompt)}))

    async def _send(self, prompt: Prompt[Any], system: str, user: str) -> Completion:
        log_probs = prompt.wants_log_probs and self.provider.supports_log_probs
        return await self.provider.complete(
            Request(
                system=system,
                user=user,
                schema=prompt.schema(),
                temperature=self._warmth(prompt),
                top_logprobs=TOP_LOGPROBS if log_probs else 0,
            )
        )


def _with_distribution(prompt: Prompt[A], answer: A, completion: Completion) -> A:
    if not (completion.tokens and isinstance(prompt, FillForm) and isinstance(answer, FormRating)):
        return answer
    masses = distribution(completion.text, completion.tokens, prompt.low, prompt.high)
    return cast("A", answer.model_copy(update={"distribution": masses}))


@cache
def _schema_in_words(prompt: type[Prompt[Any]]) -> str:
    return f"Answer with JSON alone, no other text, that fits this JSON schema: {json.dumps(prompt.schema())}"
