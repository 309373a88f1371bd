"""Ask a judge a combined prompt, and divide the reply: an answer, tokens and cost for each of its parts.

A part whose field cannot be used is asked alone, so nothing is lost: at worst a group takes one call more than its
parts alone. A cache stores the answer of each part, under the part's own key.

Tokens, cost and calls of the combined call are divided by these rules; the shares add up to the total:

    tokens sent       by the length of what each part would have sent alone
    tokens received   by the length of each part's field
    cost              by the price of these tokens; by their number where no price is known
    calls             one, counted with the first part
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, cast

from ragstone.errors import AccessRefused, JudgeError, NotCached, TimedOut
from ragstone.judges.base import Judge, Reply
from ragstone.prompts import Answer, Prompt
from ragstone.prompts.base.combined import CombinedAnswer, CombinedPrompt
from ragstone.result import NO_USAGE, Usage

PartOutcome = Reply[Any] | JudgeError

_TOO_LARGE_STATUSES = frozenset({400, 413, 422})
"""Statuses with which servers refuse a request that is too long, or whose schema they do not support."""


class PartOutcomes(Answer):
    """The outcome of each part of a combined prompt: the reply to it, or its error."""

    outcomes: tuple[Any, ...]


async def ask_parts(judge: Judge, prompt: CombinedPrompt) -> Reply[Any]:
    """Return the outcomes of a combined prompt's parts, as `PartOutcomes`, with the total usage and cost.

    Raises:
        JudgeError: as raised by the judge. An unusable answer is no error: its parts are asked alone.
    """
    try:
        combined = await judge.ask(prompt)
    except JudgeError as error:
        if not _may_answer_alone(error):
            raise
        empty_answer = CombinedAnswer(answers=(None,) * len(prompt.parts), texts=("",) * len(prompt.parts))
        spent = error.spent if isinstance(error.spent, Usage) else NO_USAGE
        combined = Reply(empty_answer, spent, error.cost if spent.calls else 0.0)
    shares = _shares(judge, prompt, combined)
    outcomes: list[PartOutcome] = []
    for part, answer, share in zip(prompt.parts, combined.answer.answers, shares, strict=True):
        if answer is None:
            outcomes.append(await _ask_alone(judge, part, share))
            continue
        reply: Reply[Any] = replace(share, answer=answer)
        judge.keep(part, reply)
        outcomes.append(reply)
    usage = sum((_usage_and_cost(outcome)[0] for outcome in outcomes), NO_USAGE)
    costs = [_usage_and_cost(outcome)[1] for outcome in outcomes]
    cost = None if None in costs else sum(cast("list[float]", costs))
    return Reply(PartOutcomes.model_construct(outcomes=tuple(outcomes)), usage, cost)


def replies_to(prompt: Prompt[Any], reply: Reply[Any]) -> Iterator[tuple[Prompt[Any], PartOutcome]]:
    """Yield a prompt and its reply; for a combined prompt each part and its outcome."""
    if isinstance(prompt, CombinedPrompt):
        yield from zip(prompt.parts, cast("PartOutcomes", reply.answer).outcomes, strict=True)
    else:
        yield prompt, reply


def divide(total: int, weights: Sequence[int]) -> list[int]:
    """Return whole numbers in proportion to the weights, evenly where all are 0, that add up to `total`."""
    if not any(weights):
        weights = [1] * len(weights)
    ends = [round(total * end / sum(weights)) for end in accumulate(weights)]
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]


def _may_answer_alone(error: JudgeError) -> bool:
    """Return whether single parts may succeed: the answer was unusable or not cached, or the request was too large."""
    if isinstance(error, TimedOut | AccessRefused):
        return False
    answered = isinstance(error.spent, Usage) and error.spent.calls > 0
    return answered or isinstance(error, NotCached) or getattr(error, "status", None) in _TOO_LARGE_STATUSES


async def _ask_alone(judge: Judge, part: Prompt[Any], share: Reply[Any]) -> PartOutcome:
    """Ask a part whose field was unusable; the usage and cost of its share of the combined call are added."""
    try:
        reply = await judge.ask(part)
    except JudgeError as error:
        spent, cost = _usage_and_cost(error)
        error.spent, error.cost = share.usage + spent, _sum_costs(share.cost, cost)
        return error
    return replace(reply, usage=share.usage + reply.usage, cost=_sum_costs(share.cost, reply.cost))


def _shares(judge: Judge, prompt: CombinedPrompt, combined: Reply[CombinedAnswer]) -> list[Reply[Any]]:
    """Return a reply for each part, with its field and its share of the usage and cost of the combined call."""
    texts = combined.answer.texts
    sent_lengths = [len(part.render().user) + len(str(part.schema())) for part in prompt.parts]
    received_lengths = [len(text) for text in texts]
    used = combined.usage
    tokens = {
        name: divide(getattr(used, name), received_lengths if name == "output_tokens" else sent_lengths)
        for name in ("input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens")
    }
    usages = [
        Usage(calls=0 if place else used.calls, **{name: shares[place] for name, shares in tokens.items()})
        for place in range(len(prompt.parts))
    ]
    prices = [judge.price(usage) or 0.0 for usage in usages]
    if not any(prices):
        prices = [float(usage.input_tokens + usage.output_tokens) for usage in usages]
    total = sum(prices) or 1.0
    costs = [None if combined.cost is None else combined.cost * price / total for price in prices]
    return [
        Reply(combined.answer, usage, cost, request=combined.request, response=text)
        for usage, cost, text in zip(usages, costs, texts, strict=True)
    ]


def _usage_and_cost(outcome: PartOutcome) -> tuple[Usage, float | None]:
    if isinstance(outcome, Reply):
        return outcome.usage, outcome.cost
    return (outcome.spent, outcome.cost) if isinstance(outcome.spent, Usage) else (NO_USAGE, 0.0)


def _sum_costs(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first + second
