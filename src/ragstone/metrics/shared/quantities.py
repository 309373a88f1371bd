"""Latency, tokens and cost of an answer, as `ragstone run --app` and traces have them."""

from typing import Any, Literal, cast

from ragstone.case import APPLICATION_ERROR, TestCase
from ragstone.errors import NotApplicable

Quantity = Literal["latency", "tokens", "cost"]
QUANTITIES: tuple[Quantity, ...] = ("latency", "tokens", "cost")
_SOURCES = {
    "latency": "metadata.latency_ms",
    "tokens": "metadata.tokens with input or output",
    "cost": "metadata.cost",
}

_MOST = 2.0**53
"""Numbers from here on are no quantities: the sum of a few of them may be no number."""


def quantity_of(case: TestCase, quantity: Quantity) -> float | None:
    """Return the milliseconds, the tokens sent and received, or the US dollars of an answer.

    None where the test case does not have them, or where the application failed.
    """
    if APPLICATION_ERROR in case.metadata:
        return None
    if quantity == "tokens":
        tokens: Any = case.metadata.get("tokens")
        counts = cast("dict[str, Any]", tokens) if isinstance(tokens, dict) else {}
        known = [float(counts[name]) for name in ("input", "output") if is_number(counts.get(name))]
        return sum(known) if known else None
    value: Any = case.metadata.get("latency_ms" if quantity == "latency" else quantity)
    return float(value) if is_number(value) else None


def known_quantity(case: TestCase, quantity: Quantity) -> float:
    """Return a quantity of an answer.

    Raises:
        NotApplicable: the test case does not have it.
    """
    value = quantity_of(case, quantity)
    if value is None:
        raise NotApplicable(
            f"The {quantity} of the answer is not known: the test case has no {_SOURCES[quantity]}. "
            "`ragstone run --app` and traces have it."
        )
    return value


def is_number(value: object) -> bool:
    """Return whether a value is a number that a quantity may be."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _MOST
