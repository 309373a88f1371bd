"""Renderings of a drafted test set: its yield, its coverage, its review."""
