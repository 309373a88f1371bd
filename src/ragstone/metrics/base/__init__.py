"""Common parts of all metrics: the base class, the score, the spec, the catalogue."""
