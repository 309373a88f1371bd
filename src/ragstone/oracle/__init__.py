"""What mending a cause is worth, measured: the user's application, with the passages and the answers of an oracle.

It is layered above `api`, since it runs an evaluation itself. Nothing is called but the application that is named.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.oracle.application import Application
    from ragstone.oracle.experiment import measure_worth

_PLACES = {
    "Application": "ragstone.oracle.application:Application",
    "measure_worth": "ragstone.oracle.experiment:measure_worth",
}

__all__ = ["Application", "measure_worth"]

__getattr__ = lazy_exports(__name__, _PLACES)
