"""Assertions on answers, for pytest, unittest and plain scripts: does this test case pass that metric?

The pytest plug-in lends them its judge and one event loop for the whole session; without it each stands on its own.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragstone.testing._assertions import assert_evaluation, assert_fails, assert_passes, assert_score
    from ragstone.testing._failure_messages import NotMeasured

_PLACES = {
    "NotMeasured": "ragstone.testing._failure_messages",
    "assert_evaluation": "ragstone.testing._assertions",
    "assert_fails": "ragstone.testing._assertions",
    "assert_passes": "ragstone.testing._assertions",
    "assert_score": "ragstone.testing._assertions",
}

__all__ = ["NotMeasured", "assert_evaluation", "assert_fails", "assert_passes", "assert_score"]


def __getattr__(name: str) -> Any:  # noqa: ANN401  (a module's attribute may be anything)
    if name in _PLACES:
        from importlib import import_module  # noqa: PLC0415  (nothing is imported before it is needed)

        return getattr(import_module(_PLACES[name]), name)
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
