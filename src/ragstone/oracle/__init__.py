"""Measure the gain of fixing a cause: the user's application with the passages and the answers of an oracle.

The package is layered above `api`, since it runs an evaluation itself. Only the named application is called.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.oracle.experiment import measure_worth

_EXPORTS = {
    "measure_worth": "ragstone.oracle.experiment:measure_worth",
}

__all__ = ["measure_worth"]

__getattr__ = lazy_exports(__name__, _EXPORTS)
