"""ragstone: find out whether RAG and LLM systems tell the truth.

The public names; each is imported when it is first used.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragstone.api import aevaluate, evaluate
    from ragstone.case import TestCase, ToolCall, Turn
    from ragstone.datasets import load_dataset
    from ragstone.reports import Report
    from ragstone.reports.comparison import compare
    from ragstone.result import Result, Usage
    from ragstone.verdict import Verdict

_PLACES = {
    "Report": "ragstone.reports",
    "Result": "ragstone.result",
    "TestCase": "ragstone.case",
    "ToolCall": "ragstone.case",
    "Turn": "ragstone.case",
    "Usage": "ragstone.result",
    "Verdict": "ragstone.verdict",
    "aevaluate": "ragstone.api",
    "evaluate": "ragstone.api",
    "compare": "ragstone.reports.comparison",
    "load_dataset": "ragstone.datasets",
}

__version__ = "0.1.0"

__all__ = [
    "Report",
    "Result",
    "TestCase",
    "ToolCall",
    "Turn",
    "Usage",
    "Verdict",
    "aevaluate",
    "compare",
    "evaluate",
    "load_dataset",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  (a module's attribute may be anything)
    if name in _PLACES:
        from importlib import import_module  # noqa: PLC0415  (nothing is imported before it is needed)

        return getattr(import_module(_PLACES[name]), name)
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
