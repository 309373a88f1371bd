"""The figures of one metric in two runs, the claims that follow from them, and both in one sentence."""

from dataclasses import dataclass, field
from typing import Literal

from ragstone.stats._special import normal_quantile
from ragstone.stats.changes import ChangeFigures, MeanChange, PassChange
from ragstone.stats.interval import NEXT_TO_ZERO, Interval, solve_score
from ragstone.stats.power import cases_needed, level_of_each

_MAX_DIGITS = 6
ComparisonVerdict = Literal["better", "worse", "no difference shown", "depends on the undecided"]


@dataclass(frozen=True, slots=True)
class Comparison:
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
        changes = (self.difference, self.difference_high)
        worst, change = self.single_interval.low, min(changes)
        if not self.higher_is_better:
            worst, change = -self.single_interval.high, -max(changes)
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

    def cases_needed(self, difference: float) -> int | None:
        """Return the number of such cases that show a true `difference` in 80 % of datasets; None where n = 0."""
        if self.power is None:
            return None
        return cases_needed(difference, *self.power, level=level_of_each(self.level, self.tested))

    def sentence(self) -> str:
        """Return the comparison in one sentence, for readers who do not know p-values.

        It tells the change, its interval and its cases; or what this dataset could have shown.
        """
        return _sentence(self)


def _sentence(found: Comparison) -> str:
    words = found.metric.replace("_", " ")
    name = words[:1].upper() + words[1:]
    if found.difference is None or found.difference_high is None:
        return f"{name}: no case was scored in both runs."
    claim = f"{name}{_change(found)}" if found.claimed else f"{name}: {_why_none(found)}"
    return f"{claim}{_pass_rate(found)}; {_case_counts(found)}.{_few_units(found)}"


def _change(found: Comparison) -> str:
    ends = sorted((abs(found.interval.low), abs(found.interval.high)))
    sizes = sorted((abs(found.difference or 0.0), abs(found.difference_high or 0.0)))
    digits = max(_digits(sizes[0]), 2 if ends[0] < NEXT_TO_ZERO else _digits(ends[0], doubled=False))
    first, last = (f"{size:.{digits}f}" for size in sizes)
    low = "above 0" if ends[0] < NEXT_TO_ZERO else f"{ends[0]:.{digits}f}"
    tested_note = f", {found.tested} tested together" if found.tested > 1 else ""
    span = f"{100 * found.level:g} %{tested_note}: {low} to {ends[1]:.{digits}f}"
    note = "" if found.higher_is_better else f", which is {found.verdict}"
    size = first if first == last else f"{first} to {last}"
    return f" {'rose' if found.interval.low > 0.0 else 'fell'} by {size} ({span}){note}"


def _why_none(found: Comparison) -> str:
    if found.verdict == "depends on the undecided":
        return f"whether it changed depends on {_count(found.undecided, 'undecided case')}"
    if not found.can_show:
        units = found.interval.units
        together = f" among {found.tested} tested together" if found.tested > 1 else ""
        few = _count(units, "case" if units == found.n else "group")
        return f"{few} {'is' if units == 1 else 'are'} too few to show any difference{together}"
    if found.hidden_by_correction:
        return f"no difference shown after correction for {found.tested} tested together"
    means = " in means" if found.unseen_in_mean else ""
    if found.detectable is None:
        return f"no difference{means} shown"
    return f"no difference{means} this dataset could show (smallest: {found.detectable:.{_digits(found.detectable)}f})"


def _pass_rate(found: Comparison) -> str:
    if found.unseen_in_mean is None or found.passes is None:
        return ""
    rates = found.passes
    before, after = _rate(rates.before, rates.before_high), _rate(rates.after, rates.after_high)
    return f", but the pass rate {found.unseen_in_mean} from {before} to {after}"


def _few_units(found: Comparison) -> str:
    if not found.interval.too_few or (not found.claimed and not found.can_show):
        return ""
    units = _count(found.interval.units, "independent case")
    return f" It rests on only {units}." if found.claimed else f" Only {units}: too few to trust."


def _case_counts(found: Comparison) -> str:
    if found.same == found.n:
        which = f"all {found.n} cases" if found.n > 1 else "the one case"
        return f"{which} scored the same"
    first, second = (found.worse, "got worse"), (found.better, "better")
    if found.better > found.worse:
        first, second = (found.better, "got better"), (found.worse, "worse")
    rest = found.n - found.better - found.worse - found.same
    return (
        f"{_count(first[0], 'case')} {first[1]}, {second[0]} {second[1]}"
        + (f", {found.same} the same" if found.same else "")
        + (f", {rest} undecided" if rest else "")
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _rate(low: float, high: float) -> str:
    most = "" if low == high else f"\N{EN DASH}{100 * high:.3g}"
    return f"{100 * low:.3g}{most} %"


def _digits(value: float, *, doubled: bool = True) -> int:
    """Return the decimals to print: two, or more where two would print a number as zero; `doubled`: or nearly so."""
    digits = 2
    while value and digits < _MAX_DIGITS and round(value, digits) < (2 if doubled else 1) * 10**-digits:
        digits += 1
    return digits
