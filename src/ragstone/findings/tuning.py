"""The outcome of tuning a judge: the gain on held-out labels, and whether the tuned judge is adopted."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

from ragstone.findings.registry import Renderable
from ragstone.judges.tuned import JudgeTuning
from ragstone.stats.decision_gain import DecisionGain

FEW = 60
"""Number of labels below which only a large gain can be shown."""


@dataclass(frozen=True, slots=True)
class TuningFold:
    """One held-out fold."""

    n: int  # number of its cases
    chosen: str  # the candidate chosen on the other folds
    right_before: int  # decisions of the plain judge that agree with people
    right_after: int  # decisions of the chosen candidate that agree with people


@dataclass(frozen=True, kw_only=True)
class TuningReport(Renderable):
    """The outcome of tuning a judge."""

    subject: ClassVar = "tuning"

    judge: str  # spec of the plain judge
    metric: str  # spec of the metric
    dataset: str  # name of the dataset
    groups: int | None  # number of groups of cases that were kept together; None without groups
    left_out: int  # labelled cases that the plain judge could not measure
    gain: DecisionGain  # the gain on held-out cases
    folds: tuple[TuningFold, ...]
    chosen: str  # the candidate chosen on all cases
    tuning: JudgeTuning | None  # the tuned judge; None where it is not adopted
    measurements: int
    not_measured: int  # how many of them gave no score; there the plain judge's decision counted
    cost: float | None  # US dollars; None where a price is not known
    notes: tuple[str, ...] = ()  # other problems

    @property
    def adopted(self) -> bool:
        """Whether a gain was proven."""
        return self.tuning is not None

    def sentence(self) -> str:
        """Return the decision in one sentence."""
        if self.adopted:
            return f"Adopted: {self.chosen}. On unseen cases, {self._change_text()}."
        if self.gain.changed:
            return (
                f"Not adopted: these {self.gain.n} labels do not show that the tuned judge is better. On "
                f"unseen cases, {self._change_text()}."
            )
        return f"Not adopted: no candidate did better than the plain judge on these {self.gain.n} labels."

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield the figures as name and text."""
        gain = self.gain
        groups = "" if self.groups is None else f" in {self.groups:,} groups"
        left_out = f"; {self.left_out:,} more without a score" if self.left_out else ""
        yield "labels", f"{gain.n:,}{groups}{left_out}"
        name = "Cohen's kappa" if gain.measure == "kappa" else "cost of a case"
        yield f"{name}, plain judge", f"{gain.before:.2f}"
        yield f"{name}, tuned", f"{gain.after:.2f}"
        yield "gain", f"{gain.difference}, p {gain.p_value:.3f}, {gain.changed} decisions changed"
        for number, fold in enumerate(self.folds, 1):
            right = f"{fold.right_before} right, then {fold.right_after}"
            yield f"fold {number}, n {fold.n}", f"{fold.chosen}: {right}"
        money = "" if self.cost is None else f", ${self.cost:.2f}"
        failed = f", {self.not_measured:,} not measured" if self.not_measured else ""
        yield "took", f"{self.measurements:,} measurements{failed}{money}"

    def remarks(self) -> Iterator[str]:
        """Yield what limits the outcome, or has to be done before the judge is used."""
        if self.gain.n < FEW:
            yield f"{self.gain.n} labels are few: only a large gain could be shown."
        if self.tuning and self.tuning.guidance.rules:
            yield "Read the rules in the file before you use it: a model wrote them."
        yield from self.notes

    def with_card(self) -> "TuningReport":
        """Return the report with the card in the tuned judge's file."""
        if self.tuning is None:
            return self
        return replace(self, tuning=replace(self.tuning, card=self._card()))

    def _card(self) -> dict[str, Any]:
        interval = self.gain.difference.interval
        return {
            "tuned": self.chosen,
            "dataset": self.dataset,
            "labels": self.gain.n,
            "groups": self.gain.n if self.groups is None else self.groups,
            "measure": self.gain.measure,
            "plain": round(self.gain.before, 4),
            "on_unseen_cases": round(self.gain.after, 4),
            "gain": [round(interval.low, 4), round(interval.high, 4)] if interval else [],
            "p_value": round(self.gain.p_value, 5),
            "folds": [asdict(fold) for fold in self.folds],
        }

    def _change_text(self) -> str:
        low_is_good = self.gain.measure == "cost"
        name = "the cost of a case" if low_is_good else "Cohen's kappa with people"
        rose = self.gain.after > self.gain.before
        verb = "stayed" if self.gain.after == self.gain.before else "rose" if rose else "fell"
        interval = self.gain.difference.interval
        interval_text = f" (gain, 95 %: {interval.low:+.2f} to {interval.high:+.2f})" if interval else ""
        return f"{name} {verb} from {self.gain.before:.2f} to {self.gain.after:.2f}{interval_text}"
