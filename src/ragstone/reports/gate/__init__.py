"""The gate of a pull request: did this change make the answers worse than the baseline?"""

from ragstone.reports.gate.decision import BrokenCase, GateBaseline, GateDecision, decide

__all__ = ["BrokenCase", "GateBaseline", "GateDecision", "decide"]
