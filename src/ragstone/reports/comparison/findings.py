"""What the metrics of a comparison say together, in sentences: the verdict, and what it leaves open."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from ragstone.reports.numbers import count
from ragstone.stats.compare import Comparison


class ComparedMetric(Protocol):
    """A metric in two runs."""

    @property
    def name(self) -> str:
        """Its display name."""
        ...

    @property
    def comparison(self) -> Comparison:
        """Its figures."""
        ...


def summary(metrics: Sequence[ComparedMetric], unmeasured: Sequence[str] = ()) -> str:
    """Return which metrics changed, in one sentence, and which have no score any more."""
    compared = [metric for metric in metrics if metric.comparison.n]
    if not compared:
        return "Nothing could be compared: no case was scored by the same metric in both runs."
    by_verdict = {
        verdict: [metric.name for metric in compared if metric.comparison.verdict == verdict]
        for verdict in ("worse", "better", "depends on the undecided")
    }
    fell = [metric.name for metric in compared if metric.comparison.unseen_in_mean == "fell"]
    parts = [f"{', '.join(by_verdict[word])} got {word}" for word in ("worse", "better") if by_verdict[word]]
    if fell:
        parts.append(f"the pass rate of {', '.join(fell)} fell")
    if undecided := by_verdict["depends on the undecided"]:
        parts.append(f"whether {', '.join(undecided)} changed depends on undecided cases")
    silent = [
        metric.comparison
        for metric in compared
        if not metric.comparison.claimed and metric.name not in undecided
    ]
    gone = "".join(f"; {name} has no score in the later run" for name in unmeasured)
    if not parts:
        return f"{_nothing_shown(silent)}{gone}."
    rest = sum(comparison.unseen_in_mean != "fell" for comparison in silent)
    if rest:
        parts.append(f"no difference shown in {rest} more")
    elif len(silent) == len(compared):
        parts.append("no difference in means shown")
    return f"{parts[0][0].upper()}{parts[0][1:]}{''.join(f'; {part}' for part in parts[1:])}{gone}."


def findings(
    metrics: Sequence[ComparedMetric], unmeasured: Sequence[str] = (), margin: float | None = None
) -> Iterator[str]:
    """Yield a sentence for each metric that may be worse although no difference is claimed, or is not measured.

    With a margin, also for each that is not shown to be within it, or that got worse within it.
    """
    for name in unmeasured:
        yield f"{name}: it was measured in the earlier run and has no score in the later one."
    for metric in metrics:
        found = metric.comparison
        if margin is not None and found.n:
            yield from _against_margin(metric.name, found, margin)
        if not found.n or found.regressed:
            continue
        if found.unseen_in_mean == "fell" and found.passes is not None:
            yield (
                f"{metric.name}: the pass rate fell ({count(found.passes.broke, 'case')} broke, {found.passes.mended} "
                f"mended), although its mean {'rose' if found.claimed else 'shows no difference'}."
            )
        if found.verdict == "depends on the undecided":
            yield (
                f"{metric.name}: whether it changed depends on {count(found.undecided, 'undecided case')}."
            )
        if not found.can_show:
            yield f"{metric.name}: {_too_few(found)}."


def _against_margin(name: str, found: Comparison, margin: float) -> Iterator[str]:
    if not found.is_not_worse_by(margin):
        yield f"{name}: it is not shown that it is not worse by more than {margin:g}."
    elif found.regressed:
        yield f"{name}: it got worse, but not by more than {margin:g}, which the margin allows."


def _nothing_shown(comparisons: Sequence[Comparison]) -> str:
    if not any(found.can_show for found in comparisons):
        fewest = max(comparisons, key=lambda found: found.interval.units)
        return _too_few(fewest)
    if any(found.hidden_by_correction for found in comparisons):
        return f"No difference shown after correction for {comparisons[0].tested} tested together"
    return "No difference between the two runs that this dataset could show"


def _too_few(found: Comparison) -> str:
    """Return `5 cases are too few to show any difference`, of groups and of several differences alike."""
    units = count(found.interval.units, "case" if found.interval.units == found.n else "group")
    together = "" if found.tested == 1 else f" among {found.tested} tested together"
    return f"{units} {'is' if found.interval.units == 1 else 'are'} too few to show any difference{together}"
