"""Check an answer before it is sent: within a time budget, and with a configured decision when it is spent.

answer ─▶ Guard.acheck ─▶ GuardDecision: allowed or not, by which results, in how many milliseconds
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.guard.check import Guard, GuardDecision
    from ragstone.guard.middleware import GuardedExchange, GuardMiddleware

_EXPORTS = {
    "Guard": "ragstone.guard.check",
    "GuardDecision": "ragstone.guard.check",
    "GuardMiddleware": "ragstone.guard.middleware",
    "GuardedExchange": "ragstone.guard.middleware",
}

__all__ = ["Guard", "GuardDecision", "GuardMiddleware", "GuardedExchange"]

__getattr__ = lazy_exports(__name__, _EXPORTS)
