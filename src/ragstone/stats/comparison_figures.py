"""The figures of one metric in two runs, and the claims that follow from them."""

from dataclasses import dataclass, field
from typing import Literal

from ragstone.stats._difference import ChangeFigures
from ragstone.stats._mean_change import MeanChange
from ragstone.stats._special import normal_quantile
from ragstone.stats.interval import Interval, solve_score
from ragstone.stats.pass_change import PassChange

ComparisonVerdict = Literal["better", "worse", "no difference shown", "depends on the undecided"]


@dataclass(frozen=True, slots=True)
class ComparisonFigures:
    """One metric in two runs over the same cases.

    Attributes:
        metric: Its name, as shown.
        n: Compared cases; everything below rests on these.
        unpaired: Cases that were left out.
        undecided: Compared cases of which a score is known only to lie between bounds, in one of the runs.
        before: Mean score before, None where n = 0; where a score is undecided, its least possible value counts.
        after: Mean score after.
        difference: after - before, in the units of the score.
        before_high: Mean of the greatest possible scores before; equal to `before` where every score is decided.
        after_high: Mean of the greatest possible scores after.
        difference_high: after_high - before_high.
        interval: For the difference: it covers all differences tested together at `level`, and contains 0 exactly where
            no difference is claimed. An end next to 0 means that the test alone rules out 0.
        single_interval: The interval of this metric alone, without any correction, as the data give it.
        p_value: Of the sign-flip test of no difference, mid-p where at most half of the units changed.
        adjusted_p: The same after correction for the metrics tested together (Holm); it decides.
        tested: How many differences are tested together.
        level: Coverage of the intervals of all differences together.
        better: Cases that improved (in the direction that is better for this metric), whatever is undecided.
        worse: Cases that got worse.
        same: Cases that stayed equal, to 1e-9.
        can_show: Whether so few independent cases can show any difference, with so many tested together.
        detectable: Smallest difference that such a dataset shows with a probability of 80 %; None where it can show
            none.
        power: The figures from which `detectable` follows; None where n = 0.
        higher_is_better: Direction of the metric.
        passes: The change of pass and fail, None where it was not given or nothing is compared.
        verdict: The claim that the data allow.
        change: The changes of the cases, from which intervals at another level are computed.
    """

    metric: str
    n: int
    unpaired: int
    undecided: int
    before: float | None
    after: float | None
    difference: float | None
    before_high: float | None
    after_high: float | None
    difference_high: float | None
    interval: Interval
    single_interval: Interval
    p_value: float
    adjusted_p: float
    tested: int
    level: float
    better: int
    worse: int
    same: int
    can_show: bool
    detectable: float | None
    power: ChangeFigures | None
    higher_is_better: bool
    passes: PassChange | None
    verdict: ComparisonVerdict
    change: MeanChange = field(repr=False, compare=False)

    @property
    def claimed(self) -> bool:
        """Whether a difference is claimed."""
        return self.verdict in {"better", "worse"}

    @property
    def regressed(self) -> bool:
        """Whether the metric got worse, beyond chance."""
        return self.verdict == "worse"

    @property
    def hidden_by_correction(self) -> bool:
        """Whether this metric alone would show a difference, and does not since several are tested together."""
        return not self.claimed and self.p_value <= 1.0 - self.level < self.adjusted_p

    def is_not_worse_by(self, margin: float) -> bool:
        """Return whether the later run is shown not to be worse by more than `margin` (non-inferiority).

        It is where the interval of this metric alone lies above -margin, or below margin where lower scores are better:
        a one-sided test at half of 1 - level. A claim on several metrics, each of which must hold, needs no correction
        (Berger 1982, Technometrics 24). And the mean change, less the losses that may have gone unseen, must do so:
        that a share of the cases loses everything is ruled out only down to Wilson's upper bound of 0 of n cases.
        """
        if not self.n or self.difference is None or self.difference_high is None:
            return False
        worst = self.single_interval.low if self.higher_is_better else -self.single_interval.high
        change = (
            min(self.difference, self.difference_high)
            if self.higher_is_better
            else -max(self.difference, self.difference_high)
        )
        if self.change.within_unit:
            _, unseen = solve_score(
                0.0, 1.0 / self.single_interval.units, normal_quantile((1.0 + self.level) / 2.0)
            )
            worst = min(worst, change - unseen)
        return worst > -margin

    @property
    def unseen_in_mean(self) -> Literal["rose", "fell"] | None:
        """How the pass rate changed where the mean does not show it; None where it says nothing of its own."""
        verdict = "no change shown" if self.passes is None else self.passes.verdict
        if verdict == "no change shown" or self.verdict == {"rose": "better", "fell": "worse"}[verdict]:
            return None
        return verdict
