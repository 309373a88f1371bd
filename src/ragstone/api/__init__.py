"""Evaluate from Python: `evaluate`, `sweep`, their asynchronous forms, and `estimate`, which sends nothing."""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.api._evaluate import aevaluate, estimate, evaluate
    from ragstone.api._sweep import asweep, sweep
    from ragstone.api.evaluation import RunInterrupted
    from ragstone.api.options import EvaluateOptions
    from ragstone.options import Batch, Limits, Ray

_EXPORTS = {
    "Batch": "ragstone.options",
    "EvaluateOptions": "ragstone.api.options",
    "Limits": "ragstone.options",
    "Ray": "ragstone.options",
    "RunInterrupted": "ragstone.api.evaluation",
    "aevaluate": "ragstone.api._evaluate",
    "asweep": "ragstone.api._sweep",
    "estimate": "ragstone.api._evaluate",
    "evaluate": "ragstone.api._evaluate",
    "sweep": "ragstone.api._sweep",
}

__all__ = [
    "Batch",
    "EvaluateOptions",
    "Limits",
    "Ray",
    "RunInterrupted",
    "aevaluate",
    "asweep",
    "estimate",
    "evaluate",
    "sweep",
]

__getattr__ = lazy_exports(__name__, _EXPORTS)
