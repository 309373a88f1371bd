"""The judge that a call asks: found, given its memory, checked against what is asked of it."""

from pathlib import Path
from typing import Any

from ragstone.errors import BadOption
from ragstone.judges import Judge, get_judge
from ragstone.judges.cached import with_cache
from ragstone.metrics.base.selection import MetricSelection
from ragstone.result import Usage


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
        from ragstone.judges.batching import in_batches  # noqa: PLC0415  (with it come the vendors' batches)

        found = in_batches(found)
    return with_cache(found, cache, offline=offline)


def refuse_unpriced(judge: Any, max_cost: float | None) -> None:  # noqa: ANN401  (a judge that may have `price`)
    """Refuse a budget for a judge whose prices are not known, before anything is asked.

    Raises:
        BadOption: it could not be kept.
    """
    price = getattr(judge, "price", None)
    if max_cost is not None and price is not None and price(Usage(input_tokens=1)) is None:
        raise BadOption(
            f"max_cost={max_cost:g} cannot be kept: no price is known for {judge.name}. Give the judge prices, such as "
            "LLMJudge(provider=…, prices={'my-model': (0.5, 0.1, 1.5)})."
        )


def prompt_digests(choice: MetricSelection, judge: Any) -> dict[str, str]:  # noqa: ANN401  (a judge that may have `wording`)
    """Return the digest of every prompt's words, where the judge is one that reads words."""
    wording = getattr(judge, "wording", None)
    if wording is None:
        return {}
    prompts = {prompt for metric in choice.metrics for prompt in metric.prompts}
    return {
        prompt.__name__: wording(prompt) for prompt in sorted(prompts, key=lambda prompt: prompt.__name__)
    }
