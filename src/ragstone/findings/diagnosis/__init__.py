"""Diagnosis of a run: one cause for each test case that missed, and the shares of the causes."""

from ragstone.findings.diagnosis.model import CaseDiagnosis, CauseShare, Diagnosis, explain

__all__ = ["CaseDiagnosis", "CauseShare", "Diagnosis", "explain"]
