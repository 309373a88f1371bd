"""A language model behind a provider as a judge: render the prompt, send it, parse the answer, ask again if needed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from math import inf
from typing import Any, ClassVar, TypeVar, cast

from ragstone.errors import BadOption, JudgeError, ProviderError
from ragstone.judges.asking.answer_bound import most_tokens, tightened
from ragstone.judges.asking.fingerprint import fingerprint, identity
from ragstone.judges.asking.repair_loop import Attempt, ask_with_repair, has_begun, is_thought, obeys_schema
from ragstone.judges.asking.score_distribution import distribution, verdict_probabilities
from ragstone.judges.asking.stored_reply import with_evidence
from ragstone.judges.base import Judge, Reply
from ragstone.judges.limits import JudgeLimits
from ragstone.prompts import (
    Answer,
    CaseReview,
    ChooseLabel,
    ChosenAnswer,
    Decisions,
    FillForm,
    FormRating,
    Prompt,
)
from ragstone.prompts.base.combined import CombinedPrompt
from ragstone.prompts.review_case import REVIEW_LABELS
from ragstone.providers.base import Completion, Provider, Request, Token
from ragstone.providers.http.transport import current_transport
from ragstone.providers.prices import cost
from ragstone.providers.wire.parameter_support import schema_in_prompt
from ragstone.result import Usage

A = TypeVar("A", bound=Answer)

TOP_LOGPROBS = 20
_LABEL_TOP_LOGPROBS = 5
_THOUGHT_TOKENS = 16_384
"""Tokens for a model that writes something before its answer, which may be thoughts without a mark."""

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
        (system, user), schema, findings = worded.render(), worded.schema(), self._findings()
        in_words = not self.provider.supports_structured_outputs or "schema" in findings
        if in_words:
            user = schema_in_prompt(user, schema)
        texts = (text for _, text in worded.evidence())
        has_bound = "max_tokens" not in findings and self._sets_no_bound()
        request = Request(
            system=system,
            user=user,
            schema=schema,
            temperature=self._temperature_of(worded),
            top_logprobs=_top_logprobs_for(worded) if self.provider.supports_log_probs else 0,
            max_tokens=most_tokens(schema, texts, worded.reason_words) if has_bound else None,
            reason_words=worded.reason_words,
        )
        try:
            reply, completion = await ask_with_repair(
                worded,
                user,
                lambda attempt: self._complete(request, attempt, worded),
                attempts=self.attempts,
                on_text=None if in_words else partial(self._note_schema, schema),
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

    async def _complete(self, request: Request, attempt: Attempt, prompt: Prompt[Any]) -> Completion:
        """Return the completion of an attempt, whose answer is bounded.

        A model that spends the bound on thinking is asked again without one, then and for the rest of the run. One that
        writes prose first gets more room, in case these are thoughts. One that does not end its answer is asked for
        shorter lists, with twice the room.

        Raises:
            ProviderError: the answer exceeds the bound; `partial` is None where asking again cannot help.
        """
        sent = replace(request, user=attempt.message)
        if attempt.cut is not None:
            sent = replace(sent, max_tokens=_bound_after(attempt.cut, request.max_tokens))
            if has_begun(attempt.cut):
                texts = (text for _, text in prompt.evidence())
                sent = replace(sent, schema=tightened(request.schema, texts))
            elif is_thought(attempt.cut):
                self._record_finding("max_tokens")
        try:
            completion = await self.provider.complete(sent)
        except ProviderError as error:
            if error.partial is not None and sent.max_tokens is not None:
                raise self._too_long(error, sent.max_tokens, prompt) from error
            if error.partial is not None and is_thought(error.partial):
                error.partial = None  # the user's limit leaves no room for more
            raise
        if attempt.cut is not None and completion.usage.output_tokens > (request.max_tokens or inf):
            self._record_finding("max_tokens")
        return completion

    def _too_long(self, error: ProviderError, bound: int, prompt: Prompt[Any]) -> ProviderError:
        told = f"{self.name} did not finish its answer to {type(prompt).__name__} within {bound} tokens"
        if has_begun(error.partial or ""):
            told += (
                ", more than any valid answer needs: the model probably repeats itself. Use another model, or set a "
                "repetition penalty."
            )
        else:
            told += (
                ": it writes thoughts or prose first. ragstone set this limit; set a higher one with "
                'options={"max_tokens": 32768}, or a lower reasoning effort.'
            )
        too_long = ProviderError(told)
        # The parts of a combined prompt are asked alone instead.
        is_final = isinstance(prompt, CombinedPrompt) and has_begun(error.partial or "")
        too_long.spent, too_long.partial = error.spent, None if is_final else error.partial
        return too_long

    def _sets_no_bound(self) -> bool:
        """Return whether the user's options set no bound, so that requests carry ragstone's."""
        return _BOUND_OPTIONS.isdisjoint(getattr(self.provider, "options", {}))

    def _findings(self) -> frozenset[str]:
        transport = current_transport()
        if transport is None:
            return frozenset()
        return transport.unsupported_parameters(self.name, self.provider.model)

    def _note_schema(self, schema: Mapping[str, Any], text: str, is_cut: bool) -> None:  # noqa: FBT001
        transport, obeyed = current_transport(), obeys_schema(text, schema, is_cut=is_cut)
        if transport is not None and obeyed is not None:
            transport.note_support(self.name, self.provider.model, "schema", supported=obeyed)

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


def _bound_after(cut: str, bound: int | None) -> int | None:
    if bound is None or is_thought(cut):
        return None
    return 2 * bound if has_begun(cut) else max(bound, _THOUGHT_TOKENS)


def _top_logprobs_for(prompt: Prompt[Any]) -> int:
    if prompt.wants_log_probs:
        return TOP_LOGPROBS
    has_labels = issubclass(prompt.answer, Decisions | CaseReview) or isinstance(prompt, ChooseLabel)
    return _LABEL_TOP_LOGPROBS if has_labels else 0


def _with_probabilities(prompt: Prompt[A], answer: A, completion: Completion) -> A:
    if not completion.tokens:
        return answer
    if isinstance(prompt, FillForm) and isinstance(answer, FormRating):
        masses = distribution(completion.tokens, prompt.low, prompt.high)
        return cast("A", answer.model_copy(update={"distribution": masses}))
    if isinstance(answer, Decisions):
        probabilities = verdict_probabilities(completion.tokens, prompt.labels, "yes", len(answer.verdicts))
        return with_evidence(answer, [{"probability": value} for value in probabilities])
    if isinstance(answer, CaseReview):
        update = {
            f"{good}_probability": _probability(completion.tokens, labels, good, name)
            for name, good, labels in REVIEW_LABELS
        }
        return cast("A", answer.model_copy(update=update))
    if isinstance(prompt, ChooseLabel) and isinstance(answer, ChosenAnswer):
        chances = _choice_probabilities(completion.tokens, prompt.options)
        return cast("A", answer.model_copy(update={"probabilities": chances}))
    return answer


def _choice_probabilities(tokens: Sequence[Token], options: Sequence[str]) -> dict[str, float] | None:
    """Return the probability of each option; None where the tokens do not show it, or begin two options alike."""
    found = {option: _probability(tokens, options, option, "choice") for option in options}
    known = {option: chance for option, chance in found.items() if chance is not None}
    likely = [chance for chance in known.values() if chance]
    return known if len(known) == len(options) and len({*likely}) == len(likely) else None


def _probability(tokens: Sequence[Token], labels: Sequence[str], label: str, name: str) -> float | None:
    return verdict_probabilities(tokens, dict(zip(labels, labels, strict=True)), label, count=1, name=name)[0]
