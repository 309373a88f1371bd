"""Fit the decision between contradicted, not mentioned and supported, and refit it without each set and each writer.

    python -m training.decision          writes build/training/decision.npz and prints the lines

There is one decision for short and one for longer evidence. All sets have equal weight, and so have supported and other
rows. The probabilities of a left-out set, or of the claims of a left-out writer, are those of lines fitted on the rest.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ragstone.judges.local.model.decision import VerdictProbabilities
from ragstone.judges.local.model.weights import MAX_LOG_ODDS
from training.labelled_data import TRAINED
from training.paths import DECISION, folder
from training.readings import HELD, Reading, load

PENALTY = 0.002
"""Penalty of the squared slopes per row."""
HELD_SHARE = {"short": 24.0, "long": 1.5}
"""Weight of the claims of held-out writers relative to one human-labelled set, by the size of the evidence."""
SIGNS = {"support": (1, -1, 1), "contradiction": (1, -1, -1)}
"""Required sign of each slope of a logistic regression."""
MIN_ROWS = 40
"""Minimum number of rows of a set with evidence of one size that the decision is fitted on."""

Values = NDArray[np.float64]
Lines = dict[str, Values]
"""Coefficients of the four regressions, by their names in the weights: the intercept, then the slopes."""


def features(reading: Reading, kind: str) -> tuple[float, ...]:
    """Return the features of a regression, "support" or "contradiction", clipped as in `line_probability`."""
    values = reading.scores.for_support if kind == "support" else reading.scores.for_contradiction
    return tuple(np.clip(values, -MAX_LOG_ODDS, MAX_LOG_ODDS).tolist())


def row_weights(labels: NDArray[np.bool_], share: float) -> Values:
    """Return weights that are equal for both labels and sum to `share`."""
    return np.where(labels, 0.5 / max(labels.sum(), 1), 0.5 / max((~labels).sum(), 1)) * share


def fit(readings: Iterable[Reading]) -> Lines:
    """Fit all regressions; those of contradiction on unsupported rows with a known three-way label."""
    rows = list(readings)
    lines: Lines = {}
    for size in ("short", "long"):
        sized = [row for row in rows if row.short == (size == "short")]
        sets = [[row for row in sized if row.name == name] for name in (*TRAINED, HELD)]
        sets = [part for part in sets if len(part) >= MIN_ROWS]
        lines[f"line.{size}_support"] = _fit_line(sets, "support", size, lambda row: row.label == 2)
        unsupported = [[row for row in part if row.label in (0, 1)] for part in sets]
        unsupported = [part for part in unsupported if len({row.label for row in part}) > 1]
        lines[f"line.{size}_contradiction"] = _fit_line(
            unsupported, "contradiction", size, lambda row: row.label == 0
        )
    return lines


def _fit_line(
    sets: Sequence[Sequence[Reading]], kind: str, size: str, is_positive: Callable[[Reading], bool]
) -> Values:
    """Fit one logistic regression whose slopes have the required signs."""
    rows = np.array([features(row, kind) for part in sets for row in part])
    labels = [np.array([is_positive(row) for row in part]) for part in sets]
    weights = np.concatenate(
        [
            row_weights(of_set, HELD_SHARE[size] if part[0].name == HELD else 1.0)
            for of_set, part in zip(labels, sets, strict=True)
        ]
    )
    weights *= len(weights) / weights.sum()
    scales = rows.std(axis=0) + 1e-6
    scaled = np.concatenate([np.ones((len(rows), 1)), rows / scales], axis=1)
    target = np.concatenate(labels).astype(np.float64)

    def loss(coefficients: Values) -> tuple[float, Values]:
        score = scaled @ coefficients
        penalty = PENALTY * len(rows) * np.append(0.0, coefficients[1:])
        cost = float(weights @ (np.logaddexp(0, score) - target * score)) + float(penalty @ coefficients)
        return cost, scaled.T @ (weights * (1 / (1 + np.exp(-score)) - target)) + 2 * penalty

    bounds = [(None, None), *((0, None) if sign > 0 else (None, 0) for sign in SIGNS[kind])]
    best = minimize(loss, np.zeros(len(bounds)), jac=True, bounds=bounds, method="L-BFGS-B").x
    return np.append(best[0], best[1:] / scales)


def chances(lines: Lines, reading: Reading) -> VerdictProbabilities:
    """Return the probabilities of the three verdicts by some lines."""
    size = "short" if reading.short else "long"
    support, contradiction = (
        _chance(lines[f"line.{size}_{kind}"], features(reading, kind))
        for kind in ("support", "contradiction")
    )
    return VerdictProbabilities((1 - support) * contradiction, (1 - support) * (1 - contradiction), support)


def _chance(line: Values, values: Sequence[float]) -> float:
    return float(1 / (1 + np.exp(-(line[0] + np.array(values) @ line[1:]))))


def left_out(readings: Sequence[Reading]) -> list[VerdictProbabilities]:
    """Return the probabilities of each row, by lines that saw neither its set nor its writer."""
    lines = {key: fit(row for row in readings if _key(row) != key) for key in {_key(row) for row in readings}}
    return [chances(lines[_key(row)], row) for row in readings]


def _key(reading: Reading) -> tuple[str, str]:
    return reading.name, reading.writer


def main() -> None:
    """Fit and write the decision."""
    folder()
    lines = fit(load())
    np.savez(DECISION, allow_pickle=False, **lines)
    print({key: value.tolist() for key, value in lines.items()})


if __name__ == "__main__":
    main()
