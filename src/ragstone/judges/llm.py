"""A language model behind a provider as a judge: render the prompt, send it, parse the answer, ask again if needed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar, cast

from ragstone.errors import BadOption, JudgeError, ProviderError
from ragstone.judges.asking.answer_bound import most_tokens
from ragstone.judges.asking.fingerprint import fingerprint, identity
from ragstone.judges.asking.repair_loop import ask_with_repair
from ragstone.judges.asking.score_distribution import distribution, verdict_probabilities
from ragstone.judges.asking.stored_reply import with_probabilities
from ragstone.judges.base import Judge, Reply
from ragstone.judges.limits import JudgeLimits
from ragstone.prompts import Answer, Decisions, FillForm, FormRating, Prompt
from ragstone.prompts.base.combined import CombinedPrompt
from ragstone.providers.base import Completion, Provider, Request
from ragstone.providers.http.transport import current_transport
from ragstone.providers.prices import cost
from ragstone.providers.wire.http_provider import is_thought
from ragstone.providers.wire.parameter_support import schema_in_prompt
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)

TOP_LOGPROBS = 20
_LABEL_TOP_LOGPROBS = 5
_BOUND_OPTIONS = frozenset(
    {"max_tokens", "max_completion_tokens", "maxOutputTokens", "num_predict", "thinking"}
)
"""Provider options that bound an answer, or set a budget for thinking that a bound would cut off."""


@dataclass(frozen=True, kw_only=True)
class LLMJudge(Judge):
    """A language model as a judge.

    Attributes:
        provider: the model, behind its vendor's wire format.
        attempts: the most requests for one usable answer.
        temperature: sampling temperature where the prompt does not set another.
        replacements: your own prompts in place of ragstone's, with the same fields and answer and another wording.
        prices: US dollars per million tokens by model, in place of the packaged table.
        limits: limits of concurrency and rate that all runs with this judge share.
        batch: whether to ask through the vendor's batch API, at its price.
    """

    provider: Provider
    attempts: int = 3
    temperature: float = 0.0
    replacements: Mapping[type[Prompt[Any]], type[Prompt[Any]]] = field(
        default_factory=dict[type[Prompt[Any]], type[Prompt[Any]]]
    )
    prices: Mapping[str, Any] | None = None
    limits: JudgeLimits = field(default_factory=JudgeLimits, repr=False, compare=False)  # pyright: ignore[reportIncompatibleVariableOverride]  (never None here)
    batch: bool = field(default=False, repr=False)

    cacheable: ClassVar[bool] = True  # pyright: ignore[reportIncompatibleVariableOverride]
    combines: ClassVar[bool] = True  # pyright: ignore[reportIncompatibleVariableOverride]

    def __post_init__(self) -> None:
        """Check the options."""
        if self.attempts < 1:
            raise BadOption(f"attempts={self.attempts!r} sends no request: give 1 or more")

    @property
    def name(self) -> str:
        """Vendor and model."""
        return f"{self.provider.name}:{self.provider.model}"

    async def ask(self, prompt: Prompt[A]) -> Reply[A]:
        """Return the model's answer; see `Judge.ask`."""
        worded = self._with_replacement(prompt)
        rendered = worded.render()
        schema = worded.schema()
        user = rendered.user
        findings = self._findings()
        if not self.provider.supports_structured_outputs or "schema" in findings:
            user = schema_in_prompt(user, schema)
        request = Request(
            system=rendered.system,
            user=user,
            schema=schema,
            temperature=self._temperature_of(worded),
            top_logprobs=_top_logprobs_for(worded) if self.provider.supports_log_probs else 0,
            max_tokens=None
            if self._has_no_bound(findings)
            else most_tokens(schema, (text for _, text in worded.evidence()), worded.reason_words),
            reason_words=worded.reason_words,
        )
        try:
            reply, completion = await ask_with_repair(
                worded,
                user,
                lambda message: self._complete(
                    request if message is user else replace(request, user=message), worded
                ),
                attempts=self.attempts,
                on_ignored_schema=lambda: self._record_finding("schema"),
            )
        except JudgeError as error:
            error.cost = self.price(cast("Usage", error.spent))
            raise
        answer = _with_probabilities(worded, reply.answer, completion)
        price = self.price(reply.usage, completion.model)
        return Reply(answer, reply.usage, price, request=reply.request, response=reply.response)

    def in_batches(self) -> "LLMJudge":
        """Return this judge with requests sent through the batch API at its price; answers keep their cache keys.

        Raises:
            BadOption: the vendor has no batch API.
        """
        if not getattr(self.provider, "supports_batches", False):
            super().in_batches()
        return replace(self, batch=True)

    def wording(self, prompt: type[Prompt[Any]]) -> str:
        """Return the digest of the wording of a prompt."""
        return self.replacements.get(prompt, prompt).digest()

    def fingerprint(self, prompt: Prompt[Any]) -> str | None:
        """Return everything that decides the answer to `prompt`, for the cache; None where that is not known."""
        if self._identity is None or isinstance(prompt, CombinedPrompt):  # its parts have keys of their own
            return None
        worded = self._with_replacement(prompt)
        return fingerprint(self._identity, worded, worded.render(), self._temperature_of(worded))

    def price(self, usage: Usage, model: str = "") -> float | None:
        """Return what `usage` costs in US dollars, None where the price of the model is not known."""
        return cost(model or self.provider.model, usage, self.prices, batch=self.batch)

    async def _complete(self, request: Request, prompt: Prompt[Any]) -> Completion:
        """Return the completion of a request whose answer is bounded.

        If a model spends the bound on thinking, it is asked again without one, then and for the rest of the run.

        Raises:
            ProviderError: the answer itself exceeds the bound.
        """
        try:
            return await self.provider.complete(request)
        except ProviderError as error:
            if error.partial is None or request.max_tokens is None:
                raise
            if not is_thought(error.partial):
                too_long = ProviderError(
                    f"{self.name} did not finish its answer to {type(prompt).__name__} within {request.max_tokens} "
                    "tokens, more than any valid answer needs: the model probably repeats itself. Use another model, "
                    "or set a repetition penalty."
                )
                too_long.spent = error.spent
                raise too_long from error
            spent = error.spent if isinstance(error.spent, Usage) else Usage()
        self._record_finding("max_tokens")
        completion = await self.provider.complete(replace(request, max_tokens=None))
        return replace(completion, usage=spent + completion.usage)

    def _has_no_bound(self, findings: frozenset[str]) -> bool:
        """Return whether requests carry no bound of ragstone's: the user set one, or the model thinks first."""
        options: Mapping[str, Any] = getattr(self.provider, "options", {})
        return "max_tokens" in findings or not _BOUND_OPTIONS.isdisjoint(options)

    def _findings(self) -> frozenset[str]:
        """Return the findings of this run: that the model ignores the `schema`, or needs no `max_tokens`."""
        transport = current_transport()
        if transport is None:
            return frozenset()
        return transport.unsupported_parameters(self.name, self.provider.model)

    def _record_finding(self, finding: str) -> None:
        transport = current_transport()
        if transport is not None:
            transport.mark_unsupported(self.name, self.provider.model, finding)

    @property
    def has_prices(self) -> bool:
        """Whether the price of the model is known."""
        return self.price(Usage(input_tokens=1)) is not None

    @cached_property
    def _identity(self) -> str | None:
        return identity(self.provider)

    def _temperature_of(self, prompt: Prompt[Any]) -> float:
        return self.temperature if prompt.temperature is None else prompt.temperature

    def _with_replacement(self, prompt: Prompt[A]) -> Prompt[A]:
        if isinstance(prompt, CombinedPrompt):
            return cast("Prompt[A]", replace(prompt, parts=tuple(map(self._with_replacement, prompt.parts))))
        cls = self.replacements.get(type(prompt))
        if cls is None:
            return prompt
        return cast("Prompt[A]", cls(**{item.name: getattr(prompt, item.name) for item in fields(prompt)}))


def _top_logprobs_for(prompt: Prompt[Any]) -> int:
    """Return how many alternatives to each token to ask for: many for scores, few for the labels of verdicts."""
    if prompt.wants_log_probs:
        return TOP_LOGPROBS
    return _LABEL_TOP_LOGPROBS if issubclass(prompt.answer, Decisions) else 0


def _with_probabilities(prompt: Prompt[A], answer: A, completion: Completion) -> A:
    """Return the answer with the probabilities that the tokens give for its score or its verdicts."""
    if not completion.tokens:
        return answer
    if isinstance(prompt, FillForm) and isinstance(answer, FormRating):
        masses = distribution(completion.tokens, prompt.low, prompt.high)
        return cast("A", answer.model_copy(update={"distribution": masses}))
    if isinstance(answer, Decisions):
        probabilities = verdict_probabilities(completion.tokens, prompt.labels, "yes", len(answer.verdicts))
        return with_probabilities(answer, probabilities)
    return answer
