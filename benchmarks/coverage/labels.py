"""Do the intervals of the shares of labels hold together? `python -m benchmarks.coverage.labels` prints the table."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from scipy.stats import chi2
from statsmodels.stats.proportion import multinomial_proportions_confint

from benchmarks.coverage import DRAWS, SIZES
from ragstone.stats import compare_labels, label_shares

Labels = list[str | None]
_NULL_SIZES, _NULL_DRAWS, _REDRAWN, _ERROR = (12, 60, 200), 1000, 0.3, 0.05
TRUTHS: dict[str, tuple[float, ...]] = {
    "two, one in ten": (0.9, 0.1),
    "three alike": (1 / 3, 1 / 3, 1 / 3),
    "three, one rare": (0.85, 0.12, 0.03),
    "five, two rare": (0.5, 0.3, 0.15, 0.04, 0.01),
}
"""Probabilities of the labels."""
GROUPED = ("three alike", "three, one rare")
UNDECIDED: dict[str, tuple[float, ...]] = {
    "a fifth of each label": (0.2, 0.2, 0.2),
    "most of the rare label": (0.0, 0.1, 0.8),
}
"""Share of the cases of each label of `three, one rare` in which the judge cannot tell."""

_GROUP_SIZE, _SAME, _SLOW_DRAWS = 5, 0.6, 400


def names(truth: tuple[float, ...]) -> list[str]:
    """Return a name for each label."""
    return [f"l{place}" for place in range(len(truth))]


def independent(rng: np.random.Generator, n: int, truth: tuple[float, ...]) -> Labels:
    """Draw the labels of n cases."""
    return list(rng.choice(names(truth), n, p=truth))


def grouped(rng: np.random.Generator, groups: int, truth: tuple[float, ...]) -> Labels:
    """Draw groups of five cases; a case has the label of its group with probability 0.6, otherwise one of its own."""
    shared = np.repeat(rng.choice(names(truth), groups, p=truth), _GROUP_SIZE)
    own = rng.choice(names(truth), groups * _GROUP_SIZE, p=truth)
    return list(np.where(rng.random(groups * _GROUP_SIZE) < _SAME, shared, own))


def unclear(
    rng: np.random.Generator, n: int, truth: tuple[float, ...], open_shares: tuple[float, ...]
) -> Labels:
    """Draw the labels of n cases, some of which the judge cannot tell."""
    places = rng.choice(len(truth), n, p=truth)
    is_open = rng.random(n) < np.array(open_shares)[places]
    return [None if unknown else names(truth)[place] for place, unknown in zip(places, is_open, strict=True)]


def coverage(
    truth: tuple[float, ...],
    draw: Callable[[np.random.Generator], Labels],
    *,
    size: int = 0,
    draws: int = DRAWS,
) -> float:
    """Return the share of datasets in which all intervals hold the true shares; `size` is that of a group."""
    rng, held = np.random.default_rng(len(truth)), 0
    for _ in range(draws):
        labels = draw(rng)
        clusters = [place // size for place in range(len(labels))] if size else None
        found = label_shares(labels, names(truth), clusters=clusters)
        held += all(rate in share.interval for rate, share in zip(truth, found.labels, strict=True))
    return held / draws


def sison_glaz_coverage(truth: tuple[float, ...], n: int, draws: int = _SLOW_DRAWS) -> float:
    """Return the same for the intervals of Sison and Glaz, as statsmodels computes them."""
    rng, held = np.random.default_rng(len(truth)), 0
    for counts in rng.multinomial(n, truth, draws):
        low, high = multinomial_proportions_confint(counts, 0.05, method="sison-glaz").T
        held += bool(np.all((low <= truth) & (truth <= high)))
    return held / draws


def false_claims(
    truth: tuple[float, ...], n: int, *, size: int = 1, draws: int = DRAWS
) -> tuple[float, float]:
    """Return how often a change of labels is claimed between two runs of one system, and by chi-square alone.

    Three in ten cases, or groups of `size`, have a label drawn anew in the second run.
    """
    rng, claimed, by_chi_square = np.random.default_rng(n), 0, 0
    for number in range(draws):
        before = rng.choice(names(truth), n, p=truth)
        after = np.where(rng.random(n) < _REDRAWN, rng.choice(names(truth), n, p=truth), before)
        old, new = (np.repeat(each, size).tolist() for each in (before, after))
        clusters = None if size == 1 else np.repeat(np.arange(n), size).tolist()
        found = compare_labels(old, new, names(truth), clusters=clusters, seed=number, resamples=999)
        claimed += found.verdict == "changed"
        by_chi_square += bool(chi2.sf(found.test.statistic, found.test.df) <= _ERROR)
    return claimed / draws, by_chi_square / draws


def false_claim_rows() -> Iterator[str]:
    """Yield the rows of the table of false claims."""
    yield "| no true change | n = 12 | n = 60 | n = 200 | chi-square instead |"
    yield "|---|---|---|---|---|"
    for name in ("three alike", "three, one rare", "five, two rare"):
        found = [false_claims(TRUTHS[name], n, draws=_NULL_DRAWS) for n in _NULL_SIZES]
        ours = " | ".join(f"{100 * each[0]:.1f}" for each in found)
        yield f"| {name}, 30 % drawn anew | {ours} | {' / '.join(f'{100 * each[1]:.1f}' for each in found)} |"
    found = [false_claims(TRUTHS["three alike"], n, size=5, draws=_NULL_DRAWS) for n in _NULL_SIZES]
    ours = " | ".join(f"{100 * each[0]:.1f}" for each in found)
    yield f"| three alike, groups of five that change together | {ours} | |"


def rows() -> Iterator[str]:
    """Yield the rows of the table."""
    yield "| labels | n = 10 | n = 30 | n = 200 | Sison and Glaz instead, n = 10 / 30 (400 datasets) |"
    yield "|---|---|---|---|---|"
    for name, truth in TRUTHS.items():
        ours = " | ".join(
            f"{100 * coverage(truth, partial(independent, n=n, truth=truth)):.1f}" for n in SIZES
        )
        theirs = " / ".join(f"{100 * sison_glaz_coverage(truth, n):.1f}" for n in SIZES[:2])
        yield f"| {name} | {ours} | {theirs} |"
    for name in GROUPED:
        truth = TRUTHS[name]
        ours = " | ".join(
            f"{100 * coverage(truth, partial(grouped, groups=n, truth=truth), size=_GROUP_SIZE):.1f}"
            for n in SIZES
        )
        yield f"| {name}, in groups of five | {ours} | |"
    truth = TRUTHS["three, one rare"]
    for name, open_shares in UNDECIDED.items():
        draw = partial(unclear, truth=truth, open_shares=open_shares)
        ours = " | ".join(f"{100 * coverage(truth, partial(draw, n=n)):.1f}" for n in SIZES)
        yield f"| undecided: {name} | {ours} | |"


if __name__ == "__main__":
    for row in (*rows(), "", *false_claim_rows()):
        print(row, flush=True)
