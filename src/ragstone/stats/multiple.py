"""Correction of comparisons for the number of metrics that are tested together."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ragstone.stats.changes import PassChange
from ragstone.stats.compare import Comparison, detectable_by, verdict_of
from ragstone.stats.power import least_units, level_of_each
from ragstone.stats.significance import holm


def correct_for_multiple(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons with p-values (Holm) and intervals (Bonferroni) that hold for all of them together.

    Pass rates are corrected among themselves, except where pass or fail *is* the score: such a pass rate has the claim
    of its metric.
    """
    measured = [comparison for comparison in comparisons if comparison.n]
    joint = holm([each.p_value for each in measured])
    lows = holm([each.change.low_p for each in measured])
    highs = holm([each.change.high_p for each in measured])
    claims = sum(p <= 1.0 - each.level for p, each in zip(joint, measured, strict=True))
    corrected = _corrected_passes(
        [
            _corrected(each, p, sides, len(measured), len(measured) - claims)
            for each, p, sides in zip(measured, joint, zip(lows, highs, strict=True), strict=True)
        ]
    )
    found = iter(corrected)
    return [next(found) if each.n else each for each in comparisons]


def _corrected(
    comparison: Comparison, adjusted_p: float, side_p: tuple[float, float], tested: int, remaining: int
) -> Comparison:
    level, error = level_of_each(comparison.level, tested), 1.0 - comparison.level
    change, units = comparison.change, comparison.interval.units
    verdict = verdict_of(change, adjusted_p, side_p, error, comparison.higher_is_better)
    return replace(
        comparison,
        interval=change.deciding_interval(level, adjusted_p, error),
        adjusted_p=adjusted_p,
        tested=tested,
        # Those that are not claimed are tested by Holm at the level of the remaining ones.
        can_show=verdict in {"better", "worse"}
        or units >= least_units(level_of_each(comparison.level, remaining)),
        detectable=detectable_by(change, comparison.power, units, level),
        verdict=verdict,
    )


def _corrected_passes(comparisons: Sequence[Comparison]) -> list[Comparison]:
    own = [each for each in comparisons if each.passes is not None and not _is_the_score(each, each.passes)]
    adjusted = iter(holm([each.passes.p_value for each in own if each.passes is not None]))
    found: list[Comparison] = []
    for each in comparisons:
        if each.passes is None:
            found.append(each)
        elif _is_the_score(each, each.passes):
            found.append(replace(each, passes=_with_p(each.passes, each.adjusted_p, each.tested)))
        else:
            found.append(replace(each, passes=_with_p(each.passes, next(adjusted), len(own))))
    return found


def _with_p(passes: PassChange, adjusted_p: float, tested: int) -> PassChange:
    interval = passes.change.deciding_interval(
        level_of_each(passes.level, tested), adjusted_p, 1.0 - passes.level
    )
    return replace(passes, adjusted_p=adjusted_p, interval=interval)


def _is_the_score(comparison: Comparison, passes: PassChange) -> bool:
    """Return whether the metric is pass or fail, so that its mean is the pass rate, or the share that does not pass."""
    score, is_better = comparison.change, comparison.higher_is_better
    lows, highs = (score.lows, score.highs) if is_better else (-score.highs, -score.lows)
    return np.array_equal(passes.change.lows, lows) and np.array_equal(passes.change.highs, highs)
