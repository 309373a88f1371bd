"""A judge card as a table: each measured bias with its interval and a sentence."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from ragstone.findings.numbers import count, percent
from ragstone.findings.registry import Renderable
from ragstone.stats.interval import Interval
from ragstone.stats.judge_card import JudgeCard, PositionBias, Rewording, ScoreShift, SelfConsistency

_SIGNIFICANCE_LEVEL = 0.05


class JudgeCardRow(NamedTuple):
    """One measured bias: its name, the figure with its interval, the number of cases, and the meaning in words."""

    name: str
    figure: str
    n: int
    meaning: str


@dataclass(frozen=True, kw_only=True)
class JudgeReport(Renderable):
    """A judge's card.

    Attributes:
        card: position and verbosity bias, self-consistency, sensitivity to rewording; None where it was not tested.
        order: effect of reversing the order of the passages on its scores.
        dataset: the dataset that it was tested on.
        metric: the metric that it was tested with.
        repeats: how often it was asked the same question.
        notes: the tests that were not possible, with the reason.
    """

    subject: ClassVar = "judge_card"

    card: JudgeCard
    order: ScoreShift | None
    dataset: str
    metric: str
    repeats: int
    notes: tuple[str, ...]

    def lines(self) -> Iterator[JudgeCardRow]:
        """Yield a row for each bias that was tested."""
        card = self.card
        if card.consistency:
            yield from _consistency(card.consistency)
        if card.rewording:
            yield _rewording(card.rewording)
        if card.verbosity:
            yield _shift("answer repeated", card.verbosity, "rewards length", "punishes length", "length")
        if self.order:
            what = "the order of passages"
            yield _shift("passages reversed", self.order, "scores rise", "scores fall", what)
        if card.position:
            yield from _position(card.position)


def _consistency(stats: SelfConsistency) -> Iterator[JudgeCardRow]:
    steady = stats.agreement == 1.0 and stats.size == 0.0
    meaning = "gives the same score every time" if steady else "of its repeated scores are on the same side"
    yield JudgeCardRow("agrees with itself", _share(stats.agreement, stats.interval), stats.n, meaning)
    size = _figure(stats.size, stats.size_interval)
    yield JudgeCardRow("asked again, changes by", size, stats.n, "mean change of a score")


def _rewording(rewording: Rewording) -> JudgeCardRow:
    change = rewording.shift
    if rewording.excess is None or rewording.excess_interval is None:
        return JudgeCardRow("reworded, changes by", f"{change.size:.2f}", change.n, "mean change of a score")
    significant = 0.0 not in rewording.excess_interval and rewording.excess > 0.0
    meaning = "more than from asking again" if significant else "no more than from asking again"
    excess = _figure(rewording.excess, rewording.excess_interval)
    return JudgeCardRow("reworded, beyond that", excess, change.n, meaning)


def _shift(name: str, shift: ScoreShift, up: str, down: str, what: str) -> JudgeCardRow:
    """Return a row, with the words for a rise and for a fall of scores, and the name of what was varied."""
    significant = shift.p_value <= _SIGNIFICANCE_LEVEL and 0.0 not in shift.interval
    effect = (up if shift.mean > 0.0 else down) if significant else f"no effect of {what} shown"
    meaning = f"{effect}; {percent(shift.flipped)} of cases change sides"
    return JudgeCardRow(name, _figure(shift.mean, shift.interval, sign=True), shift.n, meaning)


def _position(bias: PositionBias) -> Iterator[JudgeCardRow]:
    same = _share(bias.consistent, bias.interval)
    yield JudgeCardRow("same answer in both orders", same, bias.n, "of pairs")
    biased = bias.p_value <= _SIGNIFICANCE_LEVEL
    preferred = "first" if bias.preference > 0.0 else "second"
    lean = f"favours the {preferred} position" if biased else "no position is favoured"
    description = f"{lean}; {count(bias.first, 'pair')} always first, {bias.second} always second"
    figure = _figure(bias.preference, bias.preference_interval, sign=True)
    yield JudgeCardRow("prefers the first position", figure, bias.n, description)


def _share(value: float, interval: Interval) -> str:
    if interval.too_few:
        return f"{percent(value)} (too few to say)"
    return f"{percent(value)} ({percent(interval.low)} to {percent(interval.high)})"


def _figure(value: float, interval: Interval, *, sign: bool = False) -> str:
    form = "+.2f" if sign else ".2f"
    if interval.too_few:
        return f"{value:{form}} (too few to say)"
    return f"{value:{form}} ({interval.low:{form}} to {interval.high:{form}})"
