"""Detectors: models that give the probability that a text supports a statement, and write no text."""
