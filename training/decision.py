"""Fit the decision between contradicted, not mentioned and supported; once more without each set.

    python -m training.decision          writes build/training/decision.npz and prints the left-out figures

There is one decision for short and one for longer evidence. All sets have equal weight, and so have supported and other
rows. The decision for a left-out set, and its threshold, were fitted on the other sets; scores by words are those
of a model that never saw the set, and the encoder has seen other contexts of it (see `training.readings`).
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ragstone.judges.local.model.decision import StatementScores
from ragstone.judges.local.model.weights import MOST_LOG_ODDS
from training.measures import auroc, balanced_accuracy, best_threshold, interval
from training.paths import DECISION, folder
from training.readings import CLAIMS, CROSSED, MEASURED, SETS, Readings, load

PENALTY = 0.002
"""Penalty of the squared slopes per row."""
CLAIMS_SHARE = {"short": 24.0, "long": 1.5}
"""Weight of the project's own claims relative to one human-labelled set, by the size of the evidence.

With short evidence, words are uninformative about them (AUROC .49), the encoder is not (.86), and a larger weight does
not impair left-out human-labelled sets. With longer evidence a weight of 4 costs .024 of AUROC on WiCE.
"""
UNSURE = 0.12
"""Width of the band below "yes" in which the judge says that it is unsure."""
NO = 0.6
"""Least chance of a contradiction for the verdict "no" on an unsupported claim; below, not mentioned is as likely."""
SIGNS = {"support": (1, 1, -1, 1), "contradiction": (1, 1, -1, -1)}
"""Required sign of each slope of a line."""

Values = NDArray[np.float64]
Line = Values
"""An intercept, then the slopes."""


class Lines(NamedTuple):
    """The two lines of a decision."""

    support: Line
    contradiction: Line


def rows_of(found: Readings) -> list[StatementScores]:
    """Return the rows of a set as the package sees them."""
    columns = zip(found.words.tolist(), found.conflict.tolist(), found.read.tolist(), strict=True)
    return [StatementScores(words, conflict, *read) for words, conflict, read in columns]


def shares(labels: NDArray[np.int64], name: str, size: str) -> Values:
    """Return weights that are equal for both labels and sum to one, or for the project's claims to their share."""
    parts = np.where(labels == 1, 0.5 / max(labels.sum(), 1), 0.5 / max((1 - labels).sum(), 1))
    return parts * (CLAIMS_SHARE[size] if name == CLAIMS else 1.0)


def fit(sets: Sequence[Readings], size: str) -> Lines:
    """Fit both lines for a size of evidence; the second on the unsupported rows with a known three-way label."""
    supports = [(support_table(found), (found.labels == 2).astype(np.int64), found.name) for found in sets]
    against = [
        (contradiction_table(found)[told], (found.labels[told] == 0).astype(np.int64), found.name)
        for found in sets
        if len(set(found.labels[(told := np.isin(found.labels, (0, 1)))].tolist())) > 1
    ]
    return Lines(_line(supports, SIGNS["support"], size), _line(against, SIGNS["contradiction"], size))


def support_table(found: Readings) -> Values:
    """Return the features for support of every row, as `weights.chance` bounds them."""
    return np.clip([row.for_support for row in rows_of(found)], -MOST_LOG_ODDS, MOST_LOG_ODDS)


def contradiction_table(found: Readings) -> Values:
    """Return the features for a contradiction of every row, likewise."""
    return np.clip([row.for_contradiction for row in rows_of(found)], -MOST_LOG_ODDS, MOST_LOG_ODDS)


def _line(sets: Sequence[tuple[Values, NDArray[np.int64], str]], signs: Sequence[int], size: str) -> Line:
    """Fit one logistic line whose slopes keep their signs."""
    rows, labels = (np.concatenate([part[k] for part in sets]) for k in (0, 1))
    weights = np.concatenate([shares(own, name, size) for _, own, name in sets])
    weights *= len(weights) / weights.sum()
    spread = rows.std(axis=0) + 1e-6
    scaled = np.concatenate([np.ones((len(rows), 1)), rows / spread], axis=1)

    def loss(at: Values) -> tuple[float, Values]:
        score = scaled @ at
        penalty = PENALTY * len(rows) * np.append(0.0, at[1:])
        cost = float(weights @ (np.logaddexp(0, score) - labels * score)) + float(penalty @ at)
        return cost, scaled.T @ (weights * (1 / (1 + np.exp(-score)) - labels)) + 2 * penalty

    bounds = [(None, None), *((0, None) if sign > 0 else (None, 0) for sign in signs)]
    best = minimize(loss, np.zeros(len(bounds)), jac=True, bounds=bounds, method="L-BFGS-B").x
    return np.append(best[0], best[1:] / spread)


def chances(lines: Lines, found: Readings) -> Values:
    """Return the chances of contradicted, not mentioned and supported, shape (rows, 3)."""
    supported = _chance(lines.support, support_table(found))
    against = _chance(lines.contradiction, contradiction_table(found))
    return np.stack([(1 - supported) * against, (1 - supported) * (1 - against), supported], axis=1)


def _chance(line: Line, rows: Values) -> Values:
    return 1 / (1 + np.exp(-(line[0] + rows @ line[1:])))


def threshold(lines: Lines, sets: Sequence[Readings], size: str) -> float:
    """Return the least chance for the verdict supported, with the weights of the fit."""
    scores = np.concatenate([chances(lines, found)[:, 2] for found in sets])
    labels = [(found.labels == 2).astype(np.int64) for found in sets]
    weights = [shares(own, found.name, size) for own, found in zip(labels, sets, strict=True)]
    return best_threshold(np.concatenate(labels), scores, np.concatenate(weights))


def shifted(line: Line, cut: float) -> Line:
    """Return the line shifted so that its chance is one half where the chance of the given line is `cut`."""
    return np.append(line[0] - np.log(cut / (1 - cut)), line[1:])


def trained(size: str) -> list[Readings]:
    """Return the sets that the decision for a size of evidence is fitted on."""
    return [found for name, found in load(size).items() if name not in {*MEASURED, CROSSED}]


def left_out_lines(size: str) -> Iterator[str]:
    """Yield the figures of the decision on each set that it was not fitted on."""
    sets = trained(size)
    for found in sets:
        others = [other for other in sets if other is not found]
        lines = fit(others, size)
        yield f"{size} evidence, {_line_of(found, chances(lines, found), threshold(lines, others, size))}"
    lines, known = fit(sets, size), load(size)
    for name in sorted(known.keys() & {*MEASURED, CROSSED}):
        yield f"{size} evidence, {_line_of(known[name], chances(lines, known[name]), threshold(lines, sets, size))}"


def every_left_out_line() -> Iterator[str]:
    """Yield the left-out figures for evidence of each size."""
    return chain.from_iterable(map(left_out_lines, SETS))


def main() -> None:
    """Fit and write the decision."""
    folder()
    kept: dict[str, NDArray[np.generic]] = {
        "threshold.read_yes": np.array(0.5),
        "threshold.read_no": np.array(NO),
        "threshold.read_unsure": np.array(0.5 - UNSURE),
    }
    for size in SETS:
        sets = trained(size)
        lines = fit(sets, size)
        kept |= {
            f"line.{size}_support": shifted(lines.support, threshold(lines, sets, size)),
            f"line.{size}_contradiction": lines.contradiction,
        }
    np.savez(DECISION, allow_pickle=False, **kept)
    print({key: value.tolist() for key, value in kept.items()})
    for line in every_left_out_line():
        print(line, flush=True)


def _line_of(found: Readings, scores: Values, cut: float) -> str:
    labels = (found.labels == 2).astype(np.int64)
    told = found.labels >= 0
    against = scores[:, 0] >= NO * scores[:, :2].sum(axis=1)
    decided = np.where(scores[:, 2] >= cut, 2, np.where(against, 0, 1))
    three = f"{(decided[told] == found.labels[told]).mean():.3f}" if (found.labels == 0).any() else "  -  "

    def ranked(rows: NDArray[np.int64]) -> float:
        return auroc(labels[rows], scores[rows, 2])

    def right(rows: NDArray[np.int64]) -> float:
        return balanced_accuracy(labels[rows], scores[rows, 2] >= cut)

    every, groups = np.arange(len(labels)), found.groups.tolist()
    (low, high), (below, above) = interval(groups, ranked), interval(groups, right)
    return (
        f"{found.name:22} {len(labels):5} rows: AUROC {ranked(every):.3f} [{low:.3f}, {high:.3f}] "
        f"(overlap {auroc(labels, found.overlap):.3f}, words {auroc(labels, found.words):.3f}, encoder "
        f"{auroc(labels, found.read[:, 0]):.3f})  BA {right(every):.3f} [{below:.3f}, {above:.3f}]  three-way {three}"
    )


if __name__ == "__main__":
    main()
