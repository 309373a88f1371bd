"""Tune a judge on labels: candidates, nested cross-validation, and the decision to adopt."""
