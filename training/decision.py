"""Fit the decision between contradicted, not mentioned and supported, and refit it without each set.

    python -m training.decision          writes build/training/decision.npz and prints the left-out figures

There is one decision for short and one for longer evidence. All sets have equal weight, and so have supported and other
rows. The decision for a left-out set, and its threshold, are fitted on the other sets. The word scores are those of a
model that never saw the set; the encoder has seen other contexts of it (see `training.readings`).
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ragstone.judges.local.model.decision import StatementScores
from ragstone.judges.local.model.weights import MAX_LOG_ODDS
from training.measures import auroc, balanced_accuracy, best_threshold, interval
from training.paths import DECISION, folder
from training.readings import CLAIMS, CROSSED, MEASURED, SETS, Readings, load

PENALTY = 0.002
"""Penalty of the squared slopes per row."""
CLAIMS_SHARE = {"short": 24.0, "long": 1.5}
"""Weight of the project's own claims relative to one human-labelled set, by the size of the evidence.

With short evidence, word features do not rank these claims (AUROC .49), but the encoder does (.86), and a larger weight
does not impair left-out human-labelled sets. With longer evidence a weight of 4 costs .024 of AUROC on WiCE.
"""
UNSURE_WIDTH = 0.12
"""Width of the band below "yes" in which the judge says that it is unsure."""
MIN_CONTRADICTION = 0.6
"""Minimum probability of a contradiction, given that a claim is unsupported, for the verdict "no".

Below it, not mentioned is as likely.
"""
SIGNS = {"support": (1, 1, -1, 1), "contradiction": (1, 1, -1, -1)}
"""Required sign of each slope of a logistic regression."""

Values = NDArray[np.float64]
Line = Values
"""Coefficients of a logistic regression: the intercept, then the slopes."""


class Lines(NamedTuple):
    """The two logistic regressions of a decision."""

    support: Line
    contradiction: Line


def statement_scores(readings: Readings) -> list[StatementScores]:
    """Return the rows of a set as the package represents them."""
    columns = zip(readings.words.tolist(), readings.conflict.tolist(), readings.read.tolist(), strict=True)
    return [
        StatementScores(words, conflict, *encoder_outputs) for words, conflict, encoder_outputs in columns
    ]


def row_weights(labels: NDArray[np.int64], name: str, size: str) -> Values:
    """Return weights that are equal for both labels. They sum to 1, or to `CLAIMS_SHARE` for the project's claims."""
    weights = np.where(labels == 1, 0.5 / max(labels.sum(), 1), 0.5 / max((1 - labels).sum(), 1))
    return weights * (CLAIMS_SHARE[size] if name == CLAIMS else 1.0)


def fit(sets: Sequence[Readings], size: str) -> Lines:
    """Fit both regressions for a size of evidence; the second on unsupported rows with a known three-way label."""
    support_sets = [
        (support_features(readings), (readings.labels == 2).astype(np.int64), readings.name)
        for readings in sets
    ]
    contradiction_sets = [
        (
            contradiction_features(readings)[labelled],
            (readings.labels[labelled] == 0).astype(np.int64),
            readings.name,
        )
        for readings in sets
        if len(set(readings.labels[(labelled := np.isin(readings.labels, (0, 1)))].tolist())) > 1
    ]
    return Lines(
        _fit_line(support_sets, SIGNS["support"], size),
        _fit_line(contradiction_sets, SIGNS["contradiction"], size),
    )


def support_features(readings: Readings) -> Values:
    """Return the features for support of every row, clipped as in `weights.chance`."""
    return np.clip([row.for_support for row in statement_scores(readings)], -MAX_LOG_ODDS, MAX_LOG_ODDS)


def contradiction_features(readings: Readings) -> Values:
    """Return the features for a contradiction of every row, clipped in the same way."""
    return np.clip([row.for_contradiction for row in statement_scores(readings)], -MAX_LOG_ODDS, MAX_LOG_ODDS)


def _fit_line(sets: Sequence[tuple[Values, NDArray[np.int64], str]], signs: Sequence[int], size: str) -> Line:
    """Fit one logistic regression whose slopes have the required signs."""
    rows, labels = (np.concatenate([part[k] for part in sets]) for k in (0, 1))
    weights = np.concatenate([row_weights(set_labels, name, size) for _, set_labels, name in sets])
    weights *= len(weights) / weights.sum()
    scales = rows.std(axis=0) + 1e-6
    scaled = np.concatenate([np.ones((len(rows), 1)), rows / scales], axis=1)

    def loss(coefficients: Values) -> tuple[float, Values]:
        score = scaled @ coefficients
        penalty = PENALTY * len(rows) * np.append(0.0, coefficients[1:])
        cost = float(weights @ (np.logaddexp(0, score) - labels * score)) + float(penalty @ coefficients)
        return cost, scaled.T @ (weights * (1 / (1 + np.exp(-score)) - labels)) + 2 * penalty

    bounds = [(None, None), *((0, None) if sign > 0 else (None, 0) for sign in signs)]
    best = minimize(loss, np.zeros(len(bounds)), jac=True, bounds=bounds, method="L-BFGS-B").x
    return np.append(best[0], best[1:] / scales)


def chances(lines: Lines, readings: Readings) -> Values:
    """Return the probabilities of contradicted, not mentioned and supported, shape (rows, 3)."""
    support = _chance(lines.support, support_features(readings))
    contradiction = _chance(lines.contradiction, contradiction_features(readings))
    return np.stack([(1 - support) * contradiction, (1 - support) * (1 - contradiction), support], axis=1)


def _chance(line: Line, rows: Values) -> Values:
    return 1 / (1 + np.exp(-(line[0] + rows @ line[1:])))


def threshold(lines: Lines, sets: Sequence[Readings], size: str) -> float:
    """Return the minimum probability for the verdict supported, with the weights of the fit."""
    scores = np.concatenate([chances(lines, readings)[:, 2] for readings in sets])
    labels = [(readings.labels == 2).astype(np.int64) for readings in sets]
    weights = [
        row_weights(set_labels, readings.name, size)
        for set_labels, readings in zip(labels, sets, strict=True)
    ]
    return best_threshold(np.concatenate(labels), scores, np.concatenate(weights))


def shifted(line: Line, cutoff: float) -> Line:
    """Return the line shifted so that its probability is one half where that of the given line is `cutoff`."""
    return np.append(line[0] - np.log(cutoff / (1 - cutoff)), line[1:])


def fitting_sets(size: str) -> list[Readings]:
    """Return the sets that the decision for a size of evidence is fitted on."""
    return [readings for name, readings in load(size).items() if name not in {*MEASURED, CROSSED}]


def left_out_lines(size: str) -> Iterator[str]:
    """Yield the figures of the decision on each set that it was not fitted on."""
    sets = fitting_sets(size)
    for left_out in sets:
        others = [other for other in sets if other is not left_out]
        lines = fit(others, size)
        yield f"{size} evidence, {_report_line(left_out, chances(lines, left_out), threshold(lines, others, size))}"
    lines, readings = fit(sets, size), load(size)
    for name in sorted(readings.keys() & {*MEASURED, CROSSED}):
        yield (
            f"{size} evidence, "
            f"{_report_line(readings[name], chances(lines, readings[name]), threshold(lines, sets, size))}"
        )


def every_left_out_line() -> Iterator[str]:
    """Yield the left-out figures for evidence of each size."""
    return chain.from_iterable(map(left_out_lines, SETS))


def main() -> None:
    """Fit and write the decision."""
    folder()
    arrays: dict[str, NDArray[np.generic]] = {
        "threshold.read_yes": np.array(0.5),
        "threshold.read_no": np.array(MIN_CONTRADICTION),
        "threshold.read_unsure": np.array(0.5 - UNSURE_WIDTH),
    }
    for size in SETS:
        sets = fitting_sets(size)
        lines = fit(sets, size)
        arrays |= {
            f"line.{size}_support": shifted(lines.support, threshold(lines, sets, size)),
            f"line.{size}_contradiction": lines.contradiction,
        }
    np.savez(DECISION, allow_pickle=False, **arrays)
    print({key: value.tolist() for key, value in arrays.items()})
    for line in every_left_out_line():
        print(line, flush=True)


def _report_line(readings: Readings, scores: Values, cutoff: float) -> str:
    labels = (readings.labels == 2).astype(np.int64)
    labelled = readings.labels >= 0
    contradicted = scores[:, 0] >= MIN_CONTRADICTION * scores[:, :2].sum(axis=1)
    predicted = np.where(scores[:, 2] >= cutoff, 2, np.where(contradicted, 0, 1))
    three_way = (
        f"{(predicted[labelled] == readings.labels[labelled]).mean():.3f}"
        if (readings.labels == 0).any()
        else "  -  "
    )

    def auroc_of(rows: NDArray[np.int64]) -> float:
        return auroc(labels[rows], scores[rows, 2])

    def accuracy_of(rows: NDArray[np.int64]) -> float:
        return balanced_accuracy(labels[rows], scores[rows, 2] >= cutoff)

    all_rows, groups = np.arange(len(labels)), readings.groups.tolist()
    (auroc_low, auroc_high), (ba_low, ba_high) = interval(groups, auroc_of), interval(groups, accuracy_of)
    return (
        f"{readings.name:22} {len(labels):5} rows: "
        f"AUROC {auroc_of(all_rows):.3f} [{auroc_low:.3f}, {auroc_high:.3f}] "
        f"(overlap {auroc(labels, readings.overlap):.3f}, words {auroc(labels, readings.words):.3f}, "
        f"encoder {auroc(labels, readings.read[:, 0]):.3f})  "
        f"BA {accuracy_of(all_rows):.3f} [{ba_low:.3f}, {ba_high:.3f}]  three-way {three_way}"
    )


if __name__ == "__main__":
    main()
