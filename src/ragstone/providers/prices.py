"""What a call costs, where the price of the model is known.

US dollars for a million tokens, standard tier, as the price map of litellm 1.109 gave them in November 2026. The
vendors' own pages decide (https://platform.openai.com/docs/pricing, https://www.anthropic.com/pricing), and prices
change: hand in your own. A model that is not in the table has no price rather than a guessed one.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from ragstone.result import Usage


class Price(NamedTuple):
    """US dollars for a million tokens.

    Attributes:
        input: sent and read anew.
        cached: sent and found in the provider's prefix cache.
        output: received.
    """

    input: float
    cached: float
    output: float


PRICES: Mapping[str, Price] = {
    "claude-haiku-4-5": Price(1.00, 0.10, 5.00),
    "claude-haiku-5-5": Price(0.10, 0.01, 0.50),
    "claude-opus-4-5": Price(5.00, 0.50, 25.00),
    "claude-opus-4-6": Price(5.00, 0.50, 25.00),
    "claude-opus-4-7": Price(5.00, 0.50, 25.00),
    "claude-opus-4-8": Price(5.00, 0.50, 25.00),
    "claude-opus-5": Price(5.00, 0.50, 25.00),
    "claude-opus-5-5": Price(4.00, 0.20, 20.00),
    "claude-sonnet-4-5": Price(3.00, 0.30, 15.00),
    "claude-sonnet-4-6": Price(3.00, 0.30, 15.00),
    "claude-sonnet-5": Price(2.00, 0.20, 10.00),
    "claude-sonnet-5-5": Price(2.00, 0.10, 10.00),
    "gpt-4.1": Price(2.00, 0.50, 8.00),
    "gpt-4.1-mini": Price(0.40, 0.10, 1.60),
    "gpt-4.1-nano": Price(0.10, 0.025, 0.40),
    "gpt-4o": Price(2.50, 1.25, 10.00),
    "gpt-4o-mini": Price(0.15, 0.075, 0.60),
    "gpt-5": Price(1.25, 0.125, 10.00),
    "gpt-5-mini": Price(0.25, 0.025, 2.00),
    "gpt-5-nano": Price(0.05, 0.005, 0.40),
    "gpt-5.1": Price(1.25, 0.125, 10.00),
    "gpt-5.2": Price(1.75, 0.175, 14.00),
    "gpt-5.4": Price(2.50, 0.25, 15.00),
    "gpt-5.4-mini": Price(0.75, 0.075, 4.50),
    "gpt-5.4-nano": Price(0.20, 0.02, 1.25),
    "gpt-5.5": Price(5.00, 0.50, 30.00),
    "gpt-5.6-luna": Price(0.20, 0.02, 1.20),
    "gpt-5.6-sol": Price(4.00, 0.40, 20.00),
    "gpt-5.6-terra": Price(2.00, 0.20, 12.00),
    "gpt-6-luna": Price(0.10, 0.01, 0.50),
    "gpt-6-sol": Price(2.00, 0.20, 10.00),
    "gpt-6.1-sol": Price(2.00, 0.10, 10.00),
    "o3": Price(2.00, 0.50, 8.00),
    "o3-mini": Price(1.10, 0.55, 4.40),
    "o4-mini": Price(1.10, 0.275, 4.40),
    "text-embedding-3-large": Price(0.13, 0.13, 0.0),
    "text-embedding-3-small": Price(0.02, 0.02, 0.0),
}

BATCH_SHARE = 0.5
"""What a call in a batch costs of the standard price, input and output alike, at OpenAI and at Anthropic."""

# A snapshot of a model costs what the model costs; `gpt-4o-audio` is no snapshot of `gpt-4o`.
_SNAPSHOT = re.compile(r"(?:[-@](?:latest|\d{4}-\d{2}-\d{2}|\d{8}|\d{4})|-v\d+(?::\d+)?)*$")


def cost(
    model: str,
    usage: Usage,
    prices: Mapping[str, Price | tuple[float, float, float]] | None = None,
    *,
    batch: bool = False,
) -> float | None:
    """Return what `usage` of `model` costs in US dollars, None where no price is known.

    Args:
        model: the model's name; `openai/gpt-4o`, `gpt-4o-2024-08-06` and `gpt-4o-latest` count as `gpt-4o`.
        usage: the tokens.
        prices: prices of your own, which go before the table's: input, cached and output.
        batch: whether the calls travelled in a batch.
    """
    price = (find_price(model, prices) if prices else None) or _listed(model)
    if price is None:
        return None
    anew = max(0, usage.input_tokens - usage.cached_tokens)
    dollars = anew * price.input + usage.cached_tokens * price.cached + usage.output_tokens * price.output
    return dollars / 1_000_000 * (BATCH_SHARE if batch else 1.0)


@lru_cache(maxsize=256)
def _listed(model: str) -> Price | None:
    """Return the table's price; asked for with every call, always for the same few models."""
    return find_price(model, PRICES)


def find_price(model: str, prices: Mapping[str, Price | tuple[float, float, float]]) -> Price | None:
    """Return the price of the longest name in `prices` that `model` is, or is a snapshot of."""
    for name in (model, model.rpartition("/")[2]):
        fits = (key for key in prices if name.startswith(key) and _SNAPSHOT.match(name, len(key)))
        best = max(fits, key=len, default=None)
        if best is not None:
            return Price(*prices[best])
    return None
