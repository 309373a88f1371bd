"""Processes that answer prompts for the embedded judge, so that a run uses every core."""
