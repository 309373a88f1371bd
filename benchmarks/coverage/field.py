"""Comparisons and bounded means on data as evaluations have it: pass or fail, k of n claims, piled at 1, groups.

Each function draws datasets with a known truth, calls the public functions and counts what holds. A second run of one
system differs from the first by `flips`: each verdict of the judge turns with that probability, in each run.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ragstone.stats.bounded import bounded_mean, narrowed_mean
from ragstone.stats.compare import Comparison, PairedScores, compare_paired
from ragstone.stats.interval import mean_interval
from ragstone.stats.multiple import correct_for_multiple
from ragstone.stats.significance import mcnemar_p_value

Pair = tuple[np.ndarray, np.ndarray]
FLIPS = 0.05
"""Share of verdicts that a judge turns by chance in the simulated runs."""

CASES = (12, 30, 60, 200)
_RESAMPLES = 499


def verdict_pair(
    rng: np.random.Generator,
    n: int,
    *,
    mean: float = 0.9,
    flips: float = FLIPS,
    claims: int = 1,
    piled: float = 0.0,
) -> Pair:
    """Return the scores of one system in two runs.

    Args:
        rng: the generator.
        n: number of cases.
        mean: probability that a claim is good.
        flips: probability that a verdict turns, in each run.
        claims: a case has 1 claim, or 2 to this many.
        piled: share of cases whose claims are all good.
    """
    counts = np.ones(n, dtype=int) if claims == 1 else rng.integers(2, claims + 1, n)
    truth = (rng.random((n, claims)) < mean) | (rng.random(n) < piled)[:, np.newaxis]
    inside = np.arange(claims) < counts[:, np.newaxis]
    runs = [((truth ^ (rng.random(truth.shape) < flips)) & inside).sum(1) / counts for _ in range(2)]
    return runs[0], runs[1]


KINDS: dict[str, Callable[[np.random.Generator, int], Pair]] = {
    "pass or fail, 0.9": verdict_pair,
    "pass or fail, 0.9, quiet judge": partial(verdict_pair, flips=0.02),
    "k of 2 to 6 claims": partial(verdict_pair, claims=6),
    "k of n, most at 1": partial(verdict_pair, claims=6, mean=0.85, piled=0.7, flips=0.02),
}
"""Functions that draw a system's scores in two runs."""


def compared(
    before: np.ndarray, after: np.ndarray, seed: int, *, passes: bool = False, **options: object
) -> Comparison:
    """Compare two arrays of decided scores, and with `passes` the shares of at least 0.5 too: a third of the work."""
    sides = [PairedScores.decided(each, each >= 0.5 if passes else None) for each in (before, after)]
    return compare_paired(
        *sides,
        seed=seed,
        resamples=_RESAMPLES,
        **options,  # type: ignore[arg-type]
    )


def fallen(rng: np.random.Generator, scores: np.ndarray, difference: float, size: float) -> np.ndarray:
    """Return the scores after a fall of the mean by `difference`: some cases fall by `size`, none below 0."""
    able = scores >= size - 1e-9
    share = min(1.0, difference / (size * max(float(able.mean()), 1e-9)))
    return np.where(able & (rng.random(scores.size) < share), scores - size, scores)


def power_at_smallest(kind: str, n: int, draws: int) -> tuple[float, float]:
    """Return the median *smallest difference*, and how often a fall of that size is found in another dataset."""
    rng, draw = np.random.default_rng(n), KINDS[kind]
    smallest: list[float] = []
    found = 0
    for seed in range(draws):
        quiet = compared(*draw(rng, n), seed)
        if quiet.detectable is None or quiet.power is None:
            continue
        before, after = draw(rng, n)
        size = max(quiet.power.change, 0.15)
        fell = fallen(rng, after, min(quiet.detectable, float(before.mean())), min(1.0, size))
        smallest.append(quiet.detectable)
        found += compared(before, fell, seed).verdict == "worse"
    return float(np.median(smallest)), found / len(smallest)


def power_at_needed(kind: str, n: int, difference: float, draws: int) -> tuple[float, float]:
    """Return the median number of cases needed, and how often that many cases show the difference."""
    rng, draw = np.random.default_rng(n), KINDS[kind]
    needed: list[int] = []
    found = 0
    for seed in range(draws):
        quiet = compared(*draw(rng, n), seed)
        cases = quiet.cases_needed(difference)
        if cases is None or quiet.power is None:
            continue
        before, after = draw(rng, cases)
        fell = fallen(rng, after, difference, min(1.0, max(quiet.power.change, 0.15)))
        needed.append(cases)
        found += compared(before, fell, seed).verdict == "worse"
    return float(np.median(needed)), found / len(needed)


CHANGES: dict[str, tuple[float, float, float | None]] = {
    "2 % gain a point, 2 % lose one": (0.02, 0.02, 1.0),
    "5 % lose a point": (0.0, 0.05, 1.0),
    "2 % gain a point, 10 % lose one": (0.02, 0.1, 1.0),
    "2 % gain 1 or 2 claims, 10 % lose them": (0.02, 0.1, None),
    "10 % lose 0.2": (0.0, 0.1, 0.2),
    "40 % gain 1 or 2 claims, 40 % lose them": (0.4, 0.4, None),
}
"""Shares of cases that gain and lose, and by how much; None for 1 or 2 of 2 to 6 claims."""
_MEAN_CLAIM_CHANGE = float(np.mean([k / n for n in range(2, 7) for k in (1, 2)]))


def difference_coverage(name: str, n: int, draws: int) -> tuple[float, float]:
    """Return the coverage of the 95 % interval of a difference, and that of the score interval on [-1, 1]."""
    gain, lose, size = CHANGES[name]
    truth = (gain - lose) * (_MEAN_CLAIM_CHANGE if size is None else size)
    rng = np.random.default_rng(n)
    hits = plain = 0
    for seed in range(draws):
        sizes = rng.integers(1, 3, n) / rng.integers(2, 7, n) if size is None else np.full(n, size)
        kind = rng.random(n)
        change = np.where(kind < gain, sizes, np.where(kind < gain + lose, -sizes, 0.0))
        found = compared(np.maximum(0.0, -change), np.maximum(0.0, change), seed).single_interval
        hits += truth in found
        plain += truth in mean_interval(change, bounds=(-1.0, 1.0))
    return hits / draws, plain / draws


def false_claims(kind: str, n: int, metrics: int, draws: int) -> tuple[float, float]:
    """Return how often a run of the same system is called worse or better, and how often it is yellow without that.

    Yellow is a pass rate that fell although no mean did.
    """
    rng, draw = np.random.default_rng(n), KINDS[kind]
    claims = yellow = 0
    for seed in range(draws):
        found = correct_for_multiple([compared(*draw(rng, n), seed, passes=True) for _ in range(metrics)])
        claimed = any(each.claimed for each in found)
        claims += claimed
        yellow += not claimed and any(each.unseen_in_mean == "fell" for each in found)
    return claims / draws, yellow / draws


def simultaneous_coverage(real: int, metrics: int, n: int, draws: int) -> float:
    """Return how often the intervals of all metrics hold their differences, where `real` of them fell by 0.15."""
    rng = np.random.default_rng(real)
    hits = 0
    for seed in range(draws):
        changes = rng.normal(0, 0.2, (metrics, n))
        changes[:real] -= 0.15
        changes = np.clip(changes, -1, 1)
        found = correct_for_multiple(
            [compared(np.maximum(0, -each), np.maximum(0, each), seed) for each in changes]
        )
        truths = [-0.15] * real + [0.0] * (metrics - real)
        hits += all(truth in each.interval for truth, each in zip(truths, found, strict=True))
    return hits / draws


def grouped_pass_alarms(groups: int, size: int, turning: float, draws: int) -> tuple[float, float]:
    """Return false alarms of the pass rate at 5 % where documents pass or fail as a whole: they are flipped, or cases.

    In each run, each document turns with probability `turning`: then 60 % of its cases pass or fail together.
    """
    rng = np.random.default_rng(groups)
    codes = np.repeat(np.arange(groups), size)
    by_group = by_case = 0
    for seed in range(draws):
        truth = rng.random(groups * size) < _PASSING
        before, after = (_turned(rng, truth, codes, turning) for _ in range(2))
        found = compared(before.astype(float), after.astype(float), seed, passes=True, clusters=codes).passes
        by_group += found is not None and found.p_value <= 0.05
        by_case += mcnemar_p_value(int((~before & after).sum()), int((before & ~after).sum())) <= 0.05
    return by_group / draws, by_case / draws


_PASSING = 0.7


def _turned(rng: np.random.Generator, truth: np.ndarray, codes: np.ndarray, turning: float) -> np.ndarray:
    groups = int(codes.max()) + 1
    turns, passing = (rng.random(groups) < turning)[codes], (rng.random(groups) < _PASSING)[codes]
    return np.where(turns & (rng.random(truth.size) < 0.6), passing, truth)


@dataclass(frozen=True, slots=True)
class Vague:
    """Cases of 2 to 5 claims, some of which the judge leaves undecided.

    Attributes:
        good: probability that a claim is good.
        if_good: probability that a good claim is left undecided.
        if_bad: the same for a bad one.
    """

    good: float = 0.85
    if_good: float = 0.08
    if_bad: float = 0.08

    def draw(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return low, high, the true score, and the score over the decided claims (NaN without one)."""
        counts = rng.integers(2, 6, n)
        inside = np.arange(5) < counts[:, np.newaxis]
        good = (rng.random((n, 5)) < self.good) & inside
        open_ = (rng.random((n, 5)) < np.where(good, self.if_good, self.if_bad)) & inside
        decided = counts - open_.sum(1)
        low = (good & ~open_).sum(1) / counts
        with np.errstate(invalid="ignore"):
            naive = np.where(decided > 0, (good & ~open_).sum(1) / np.maximum(decided, 1), np.nan)
        return low, low + open_.sum(1) / counts, good.sum(1) / counts, naive


VAGUE = {
    "8 % undecided, whatever they are": Vague(),
    "bad claims undecided three times as often": Vague(if_good=0.05, if_bad=0.15),
    "40 % of bad claims undecided": Vague(if_good=0.02, if_bad=0.4),
}
"""How judges leave claims undecided."""


def bounded_coverage(name: str, n: int, draws: int) -> tuple[float, float]:
    """Return the coverage of the interval of a bounded mean, and of one that leaves out what is undecided."""
    rng, world = np.random.default_rng(n), VAGUE[name]
    hits = naive = 0
    for _ in range(draws):
        low, high, _, decided = world.draw(rng, n)
        hits += world.good in bounded_mean(low, high).interval
        naive += world.good in mean_interval(decided[~np.isnan(decided)])
    return hits / draws, naive / draws


def vaguer_called_better(n: int, if_bad: float, draws: int) -> tuple[float, float, float]:
    """Return how often an equal system whose judge leaves more bad claims undecided is called better or worse.

    The third share is that of comparisons which depend on the undecided; the second of those that leave them out.
    """
    rng = np.random.default_rng(n)
    clear, vague = Vague(if_good=0.02, if_bad=0.02), Vague(if_good=0.02, if_bad=if_bad)
    claimed = naive = open_ = 0
    for seed in range(draws):
        old_low, old_high, _, old = clear.draw(rng, n)
        low, high, _, new = vague.draw(rng, n)
        options = {"seed": seed, "resamples": _RESAMPLES}
        found = compare_paired(PairedScores(old_low, old_high), PairedScores(low, high), **options)  # type: ignore[arg-type]
        both = ~np.isnan(old) & ~np.isnan(new)
        left_out = compare_paired(PairedScores.decided(old[both]), PairedScores.decided(new[both]), **options)  # type: ignore[arg-type]
        claimed += found.claimed
        open_ += found.verdict == "depends on the undecided"
        naive += left_out.claimed
    return claimed / draws, naive / draws, open_ / draws


def narrowing(n: int, checks: int, world: Vague, draws: int) -> tuple[float, float]:
    """Return the coverage with people's checks, and the width of the interval as a share of that without."""
    rng = np.random.default_rng(n + checks)
    hits, widths = 0, []
    for _ in range(draws):
        low, high, truth, _ = world.draw(rng, n)
        truths: list[float | None] = [None] * n
        for place in rng.permutation(np.flatnonzero(high > low))[:checks].tolist():
            truths[place] = float(truth[place])
        found = narrowed_mean(low, high, truths)
        hits += world.good in found.interval
        widths.append(found.interval.width / found.bounds.interval.width)
    return hits / draws, float(np.mean(widths))
