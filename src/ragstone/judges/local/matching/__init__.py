"""Compare a statement with evidence: alignment, numbers, names, conflicts."""
