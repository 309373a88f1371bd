"""Causes of the flipped test cases of a comparison, before and after, grouped by cause and document."""

from ragstone.reports.flips.model import (
    ExplainedComparison,
    FlipGroup,
    FlippedCase,
    explain_flips,
)

__all__ = ["ExplainedComparison", "FlipGroup", "FlippedCase", "explain_flips"]
