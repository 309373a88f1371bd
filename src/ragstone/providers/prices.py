"""The cost of a call, if the price of the model is known.

Prices are US dollars per million tokens, standard tier. The packaged prices are in `prices.json`, which `make prices`
writes from the price data of genai-prices; ADR 21. Prices change: pass your own. A model that is not in the file has no
price rather than an estimated one.
"""

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from ragstone.result import Usage


class Price(NamedTuple):
    """US dollars for a million tokens.

    Attributes:
        input: for tokens sent and not cached.
        cached: for tokens sent and found in the provider's prefix cache.
        output: for tokens received.
        written: for tokens put into the prefix cache, if the vendor counts them; None for a quarter more than `input`.
    """

    input: float
    cached: float
    output: float
    written: float | None = None


class PackagedPrices(NamedTuple):
    """The prices in the package by the model's name, the origin of the data, and the day on which they were copied."""

    source: str
    date: str
    models: Mapping[str, Price]


BATCH_SHARE = 0.5
"""Price of a call in a batch as a share of the standard price, for input and output, at OpenAI and Anthropic."""

_CACHE_WRITE_SHARE = 1.25
"""Price of a token written to Anthropic's five-minute cache, as a share of the price of an uncached token."""

# A snapshot of a model has the price of the model; `gpt-4o-audio` is not a snapshot of `gpt-4o`.
_SNAPSHOT_SUFFIX = re.compile(r"(?:[-@](?:latest|\d{4}-\d{2}-\d{2}|\d{8}|\d{4})|-v\d+(?::\d+)?)*$")


def cost(
    model: str,
    usage: Usage,
    prices: Mapping[str, Price | tuple[float, ...]] | None = None,
    *,
    batch: bool = False,
) -> float | None:
    """Return the cost of `usage` of `model` in US dollars, None without a known price.

    Args:
        model: the model's name; `openai/gpt-4o`, `gpt-4o-2024-08-06` and `gpt-4o-latest` count as `gpt-4o`.
        usage: the tokens.
        prices: your own prices, which override the packaged ones: input, cached and output.
        batch: whether the calls were made in a batch.
    """
    price = (find_price(model, prices) if prices else None) or _packaged_price(model)
    if price is None:
        return None
    uncached = max(0, usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens)
    write_price = price.input * _CACHE_WRITE_SHARE if price.written is None else price.written
    dollars = (
        uncached * price.input
        + usage.cached_tokens * price.cached
        + usage.cache_write_tokens * write_price
        + usage.output_tokens * price.output
    )
    return dollars / 1_000_000 * (BATCH_SHARE if batch else 1.0)


@cache
def packaged_prices() -> PackagedPrices:
    """Return the packaged prices; the file is read at the first call."""
    data = json.loads(files("ragstone.providers").joinpath("prices.json").read_text("utf-8"))
    models = {name: Price(*price) for name, price in data["models"].items()}
    return PackagedPrices(data["source"], data["date"], models)


@lru_cache(maxsize=256)
def _packaged_price(model: str) -> Price | None:
    """Return the packaged price; cached, as every call looks up one of a few models."""
    return find_price(model, packaged_prices().models)


def find_price(model: str, prices: Mapping[str, Price | tuple[float, ...]]) -> Price | None:
    """Return the price under the longest name in `prices` that `model` equals or is a snapshot of."""
    for name in (model, model.rpartition("/")[2]):
        matches = (key for key in prices if name.startswith(key) and _SNAPSHOT_SUFFIX.match(name, len(key)))
        longest = max(matches, key=len, default=None)
        if longest is not None:
            price = prices[longest]
            return price if isinstance(price, Price) else Price(*price)
    return None
