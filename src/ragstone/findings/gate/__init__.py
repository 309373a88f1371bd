"""The gate of a pull request: did this change make the answers worse than the baseline?"""

from ragstone.findings.gate.critical import BrokenCase
from ragstone.findings.gate.decision import GateBaseline, GateDecision, decide

__all__ = ["BrokenCase", "GateBaseline", "GateDecision", "decide"]
