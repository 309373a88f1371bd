"""F-beta: one number of a precision and a recall."""


def f_beta(precision: float, recall: float, beta: float = 1.0) -> float:
    """Return the weighted harmonic mean: recall weighs `beta` times as much as precision; 0 where both are 0."""
    weighted = beta * beta * precision + recall
    return (1 + beta * beta) * precision * recall / weighted if weighted else 0.0
