"""How a drafted test set is shown: its yield, its coverage, its review."""
