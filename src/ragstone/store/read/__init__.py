"""Queries: runs, their test cases, results, figures, changes, annotations and baselines."""
