"""Tuning of a judge on human labels: candidates, nested cross-validation, and the decision to adopt one."""
