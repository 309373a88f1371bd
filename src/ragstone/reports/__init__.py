"""Reports on a run, and the comparisons, agreements and judge cards made from them."""

from ragstone.reports.collector import Collector
from ragstone.reports.report import Report

__all__ = ["Collector", "Report"]
