"""Simulated coverage of the intervals: `python -m benchmarks.coverage` prints the tables.

Each regime draws datasets with a known true value, calls the public functions and counts what holds. The slow
tests (`tests/stats/test_coverage.py`) hold the same regimes to 93-97 %.
"""

DRAWS = 2000
"""Datasets per regime: the simulation's own standard error at 95 % is half a point."""
SIZES = (10, 30, 200)
