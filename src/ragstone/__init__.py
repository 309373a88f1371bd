"""ragstone: find out whether RAG and LLM systems tell the truth.

The public names; each is imported on first use. Nothing else is imported here, not even `typing`: the command imports
this module before it has set up the handling of Ctrl-C.
"""

from ragstone.lazy import lazy_exports

TYPE_CHECKING = False

if TYPE_CHECKING:
    from ragstone.api import aevaluate, asweep, evaluate, sweep
    from ragstone.case import TestCase, ToolCall, Turn
    from ragstone.datasets import load_dataset
    from ragstone.findings import Report
    from ragstone.findings.comparison import compare
    from ragstone.findings.diagnosis import explain
    from ragstone.findings.flips import explain_flips
    from ragstone.options import Batch, Limits, Ray
    from ragstone.result import Result, Usage
    from ragstone.verdict import Verdict

_EXPORTS = {
    "Batch": "ragstone.options",
    "Limits": "ragstone.options",
    "Ray": "ragstone.options",
    "Report": "ragstone.findings",
    "Result": "ragstone.result",
    "TestCase": "ragstone.case",
    "ToolCall": "ragstone.case",
    "Turn": "ragstone.case",
    "Usage": "ragstone.result",
    "Verdict": "ragstone.verdict",
    "aevaluate": "ragstone.api._evaluate",
    "asweep": "ragstone.api._sweep",
    "evaluate": "ragstone.api._evaluate",
    "compare": "ragstone.findings.comparison",
    "explain": "ragstone.findings.diagnosis",
    "explain_flips": "ragstone.findings.flips",
    "load_dataset": "ragstone.datasets",
    "sweep": "ragstone.api._sweep",
}

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "Limits",
    "Ray",
    "Report",
    "Result",
    "TestCase",
    "ToolCall",
    "Turn",
    "Usage",
    "Verdict",
    "aevaluate",
    "asweep",
    "compare",
    "evaluate",
    "explain",
    "explain_flips",
    "load_dataset",
    "sweep",
]

__getattr__ = lazy_exports(__name__, _EXPORTS)
