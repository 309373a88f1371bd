"""What a run means: its report, comparisons, agreement with people, causes, the gate. Values only, no layout."""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.findings.collector import Collector
    from ragstone.findings.report import Report

_EXPORTS = {"Collector": "ragstone.findings.collector", "Report": "ragstone.findings.report"}

__all__ = ["Collector", "Report"]

__getattr__ = lazy_exports(__name__, _EXPORTS)
