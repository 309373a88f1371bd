"""The judge that a call asks: found, given its memory, checked against what is asked of it."""

from pathlib import Path

from ragstone.errors import BadOption
from ragstone.judges import Judge, get_judge
from ragstone.judges.cached import with_cache
from ragstone.metrics.base.selection import MetricSelection


def resolve_judge(
    judge: str | Judge | None,
    cache: bool | str | Path | None,  # noqa: FBT001  (as users write it)
    *,
    offline: bool,
    batch: bool,
    keyless: bool = False,
) -> Judge:
    """Return the judge that is to be asked, in the manner in which it is to be asked.

    Raises:
        UsageError: there is none, or it cannot be asked so.
    """
    found = get_judge(judge, offline=offline or keyless)
    if batch and offline:
        raise BadOption(
            "offline=True sends nothing, and batch=True sends all there is to ask: leave one of them out."
        )
    if batch:
        found = found.in_batches()
    return with_cache(found, cache, offline=offline)


def refuse_unpriced(judge: Judge, max_cost: float | None) -> None:
    """Refuse a budget for a judge whose prices are not known, before anything is asked.

    Raises:
        BadOption: it could not be kept.
    """
    if max_cost is not None and not judge.has_prices:
        raise BadOption(
            f"max_cost={max_cost:g} cannot be kept: no price is known for {judge.name}. Give the judge prices, such as "
            "LLMJudge(provider=…, prices={'my-model': (0.5, 0.1, 1.5)})."
        )


def prompt_digests(choice: MetricSelection, judge: Judge) -> dict[str, str]:
    """Return the digest of every prompt's words, for a judge to which words matter."""
    prompts = sorted(
        {prompt for metric in choice.metrics for prompt in metric.prompts}, key=lambda prompt: prompt.__name__
    )
    digests = {prompt.__name__: judge.wording(prompt) for prompt in prompts}
    return {name: digest for name, digest in digests.items() if digest is not None}
