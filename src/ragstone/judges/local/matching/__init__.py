"""How a claim is laid beside its evidence: alignment, numbers, names, conflicts."""
