"""Renderings of a run."""

from ragstone.reports.collector import Collector
from ragstone.reports.report import Report

__all__ = ["Collector", "Report"]
