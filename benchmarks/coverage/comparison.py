"""How often a comparison claims a difference between two runs of the same system."""

import numpy as np

from benchmarks.coverage import DRAWS
from benchmarks.coverage.intervals import MEANS
from ragstone.stats.compare import compare_runs
from ragstone.stats.multiple import correct_for_multiple
from ragstone.stats.significance import sign_flip_p_value

TOPICS, QUESTIONS, METRICS = 20, 6, 5
_RESAMPLES = 499
# Each dataset gets its own sign patterns: 499 shared ones would shift the level of all by a point.
_MANY_DRAWS = 4 * DRAWS


def false_alarms(kind: str, n: int, draws: int = _MANY_DRAWS) -> tuple[float, float]:
    """Return the share of p-values up to 0.05, and of differences claimed, where there is none.

    The same cases, judged twice: half of the scores come out equal, half are drawn anew.
    """
    rng = np.random.default_rng(n)
    draw = MEANS[kind][0]
    small = claimed = 0
    for seed in range(draws):
        before, after = draw(rng, n), draw(rng, n)
        same = rng.random(n) < 0.5
        after[same] = before[same]
        # A claim needs a small p-value: without one the rest of the comparison is skipped.
        if sign_flip_p_value(after - before, seed=seed, resamples=_RESAMPLES, method="auto") <= 0.05:
            found = compare_runs(before.tolist(), after.tolist(), seed=seed, resamples=_RESAMPLES)
            small += 1
            claimed += found.verdict != "no difference shown"
    return small / draws, claimed / draws


def false_alarms_over_metrics(n: int, draws: int = DRAWS) -> tuple[float, float]:
    """Return the share of comparisons of five metrics with a false claim, uncorrected and corrected."""
    rng = np.random.default_rng(n)
    plain = corrected = 0
    for seed in range(draws):
        changes = rng.uniform(-0.5, 0.5, (METRICS, n)).tolist()
        # As above: without a small p-value there is no claim, corrected or not.
        if all(
            sign_flip_p_value(each, seed=seed, resamples=_RESAMPLES, method="auto") > 0.05 for each in changes
        ):
            continue
        found = [compare_runs([0.0] * n, each, seed=seed, resamples=_RESAMPLES) for each in changes]
        plain += any(each.verdict != "no difference shown" for each in found)
        corrected += any(each.verdict != "no difference shown" for each in correct_for_multiple(found))
    return plain / draws, corrected / draws


def false_alarms_by_topic() -> tuple[float, float]:
    """Return the rates of false alarms if questions on one topic change together, with clusters given and ignored."""
    rng = np.random.default_rng(1)
    codes = np.repeat(np.arange(TOPICS), QUESTIONS)
    shared = rng.normal(0, 0.2, (DRAWS, TOPICS))[:, codes]
    changes = shared + rng.normal(0, 0.1, (DRAWS, TOPICS * QUESTIONS))
    groups = codes.tolist()
    return _share_found(changes, groups), _share_found(changes)


def _share_found(drawn: np.ndarray, groups: list[int] | None = None) -> float:
    found = [
        sign_flip_p_value(each, groups, seed=seed, resamples=_RESAMPLES) for seed, each in enumerate(drawn)
    ]
    return float(np.mean(np.array(found) <= 0.05))
