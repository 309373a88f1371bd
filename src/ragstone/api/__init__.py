"""The doors for Python: `evaluate` and its awaitable twin `aevaluate`, and `estimate`, which sends nothing."""

from ragstone.api._estimate import estimate
from ragstone.api._evaluate import aevaluate, evaluate

__all__ = ["aevaluate", "estimate", "evaluate"]
