"""A sweep: runs of one application with several settings, raced over the same questions (`stats/racing.py`).

All of it follows from the plan of the sweep and from its runs: what is left after each rung, what is to be asked next,
and the result. So a sweep that was stopped goes on where it was, and can be shown again.
"""

from ragstone.findings.sweep.model import SweepCell, SweepReport
from ragstone.findings.sweep.progress import RaceProgress, SweptRun, race_progress
from ragstone.findings.sweep.result import sweep_report

__all__ = ["RaceProgress", "SweepCell", "SweepReport", "SweptRun", "race_progress", "sweep_report"]
