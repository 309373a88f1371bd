"""Renderings of a run."""

from ragstone.reports._collector import Collector
from ragstone.reports._report import Report

__all__ = ["Collector", "Report"]
