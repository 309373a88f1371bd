"""What the metrics of a comparison say together, in sentences: the verdict, and what it leaves open."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from ragstone.findings.comparison.label_text import label_sentence
from ragstone.findings.numbers import count
from ragstone.stats.compare import Comparison
from ragstone.stats.label_change import LabelChange


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

    @property
    def labels(self) -> LabelChange | None:
        """How its labels changed; None for a metric without labels."""
        ...


def summary(metrics: Sequence[ComparedMetric], unmeasured: Sequence[str] = ()) -> str:
    """Return which metrics changed, in one sentence, and which have no score any more."""
    compared = [metric for metric in metrics if metric.comparison.n]
    labelled = [metric for metric in metrics if metric.labels and metric.labels.n]
    if not compared and not labelled:
        return "Nothing could be compared: no case was scored by the same metric in both runs."
    by_verdict = {
        verdict: [metric.name for metric in compared if metric.comparison.verdict == verdict]
        for verdict in ("worse", "better", "depends on the undecided")
    }
    fell = [metric.name for metric in compared if metric.comparison.unseen_in_mean == "fell"]
    parts = [f"{', '.join(by_verdict[word])} got {word}" for word in ("worse", "better") if by_verdict[word]]
    if fell:
        parts.append(f"the pass rate of {', '.join(fell)} fell")
    parts += [
        label_sentence(metric.name, metric.labels)
        for metric in labelled
        if metric.labels and moved_labels(metric)
    ]
    if undecided := by_verdict["depends on the undecided"]:
        parts.append(f"whether {', '.join(undecided)} changed depends on undecided cases")
    silent = [
        metric.comparison
        for metric in compared
        if not metric.comparison.claimed and metric.name not in undecided
    ]
    gone = "".join(f"; {name} has no score in the later run" for name in unmeasured)
    if not parts:
        nothing = _nothing_shown(silent) if silent else "No change of labels that this dataset could show"
        return f"{nothing}{gone}."
    rest = sum(comparison.unseen_in_mean != "fell" for comparison in silent)
    if rest:
        parts.append(f"no difference shown in {rest} more")
    elif compared and len(silent) == len(compared):
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
        yield from _label_findings(metric)
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


def moved_labels(metric: ComparedMetric) -> bool:
    """Return whether a change of a metric's labels is claimed."""
    return metric.labels is not None and metric.labels.verdict == "changed"


def _label_findings(metric: ComparedMetric) -> Iterator[str]:
    """Yield what the labels of a metric leave open: a change that neither passes nor misses, or one not decided."""
    found = metric.labels
    if found is None or not found.n:
        return
    if moved_labels(metric) and not metric.comparison.n:
        sentence = label_sentence(metric.name, found)
        yield f"{sentence[0].upper()}{sentence[1:]}; no label passes or misses."
    if found.verdict == "depends on the undecided":
        yield f"{metric.name}: whether its labels changed depends on {count(found.undecided, 'undecided case')}."
    if not found.can_show and not metric.comparison.n:
        yield f"{metric.name}: {count(found.n, 'case')} are too few to show any change of labels."


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
