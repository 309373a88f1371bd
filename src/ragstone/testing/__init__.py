"""Assertions for pytest, unittest and plain scripts: does a test case pass a metric?

With the pytest plug-in they share one judge and one event loop for the whole session.
"""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.testing._assertions import assert_evaluation, assert_fails, assert_passes, assert_score
    from ragstone.testing._outcomes import NotMeasured

_EXPORTS = {
    "NotMeasured": "ragstone.testing._outcomes",
    "assert_evaluation": "ragstone.testing._assertions",
    "assert_fails": "ragstone.testing._assertions",
    "assert_passes": "ragstone.testing._assertions",
    "assert_score": "ragstone.testing._assertions",
}

__all__ = ["NotMeasured", "assert_evaluation", "assert_fails", "assert_passes", "assert_score"]

__getattr__ = lazy_exports(__name__, _EXPORTS)
