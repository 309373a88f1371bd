from datetime import date

import pytest
from tests.testing.for_each import for_each

from ragstone.providers import Price, cost
from ragstone.providers.prices import packaged_prices
from ragstone.result import Usage

USED = Usage(calls=1, input_tokens=1_000_000, output_tokens=100_000, cached_tokens=400_000)


def test_cost_counts_cached_tokens_at_their_own_price() -> None:
    assert cost("gpt-4o-mini", USED) == pytest.approx(0.6 * 0.15 + 0.4 * 0.075 + 0.1 * 0.60)


@for_each(
    "model, same_as",
    [
        ("gpt-4o-2024-08-06", "gpt-4o"),
        ("gpt-4o-latest", "gpt-4o"),
        ("openai/gpt-4o-mini", "gpt-4o-mini"),
        ("gpt-4o-mini-2024-07-18", "gpt-4o-mini"),
        ("claude-haiku-4-5-20251001", "claude-haiku-4-5"),
        ("claude-haiku-4-5@20251001", "claude-haiku-4-5"),
        ("claude-opus-4-5", "claude-opus-4-5"),
        ("claude-opus-5-5-20260901", "claude-opus-5-5"),
    ],
)
def test_snapshots_cost_what_their_model_costs(model: str, same_as: str) -> None:
    assert cost(model, USED) == cost(same_as, USED)
    assert cost(model, USED) is not None


@for_each("model", ["gpt-4o-unheard-of", "claude-opus-5-5-1", "llama3.1", "", "my/gpt"])
def test_an_unknown_model_has_no_price_rather_than_a_guess(model: str) -> None:
    assert cost(model, USED) is None


def test_prices_of_ones_own_go_first() -> None:
    assert cost("gpt-4o-2024-08-06", USED, {"gpt-4o": (1.0, 0.0, 0.0)}) == pytest.approx(0.6)
    assert cost("my/judge-1", USED, {"judge-1": Price(0.0, 0.0, 5.0)}) == pytest.approx(0.5)
    assert cost("gpt-4o-mini", USED, {"judge-1": Price(0.0, 0.0, 5.0)}) == cost("gpt-4o-mini", USED)


def test_packaged_prices_name_their_source_and_their_day() -> None:
    prices = packaged_prices()
    assert prices.source.startswith("genai-prices ")
    assert date.fromisoformat(prices.date) >= date(2026, 11, 1)
    assert len(prices.models) > 200


def test_every_price_is_plausible() -> None:
    odd = {
        name: price
        for name, price in packaged_prices().models.items()
        if not (0 < price.cached <= price.input <= 200 and price.output >= 0)
        or not (price.written is None or price.input < price.written <= 2 * price.input)
    }
    assert odd == {}


def test_cache_write_tokens_cost_a_quarter_more_by_default() -> None:
    used = Usage(calls=1, input_tokens=1_000_000, cached_tokens=400_000, cache_write_tokens=500_000)
    assert cost("claude-haiku-4-5", used) == pytest.approx(0.1 * 1.0 + 0.4 * 0.10 + 0.5 * 1.25)
    assert cost("mine", used, {"mine": (1.0, 0.5, 2.0)}) == pytest.approx(0.1 + 0.2 + 0.625)
    assert cost("mine", used, {"mine": Price(1.0, 0.5, 2.0, 2.0)}) == pytest.approx(0.1 + 0.2 + 1.0)


def test_a_call_in_a_batch_costs_half_whatever_the_prices() -> None:
    own = {"mine": (2.0, 1.0, 4.0)}
    for model, prices in (("gpt-4o-mini", None), ("claude-haiku-4-5", None), ("mine", own)):
        alone = cost(model, USED, prices)
        assert cost(model, USED, prices, batch=True) == pytest.approx((alone or 0.0) / 2)
    assert cost("unheard-of", USED, batch=True) is None
