"""What changed between two runs, the second thing said of a run: each metric that moved, then what did not."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ragstone.findings.comparison.figures import digits_of
from ragstone.findings.comparison.findings import moved_labels
from ragstone.findings.comparison.label_text import label_sentence
from ragstone.findings.comparison.model import MetricChange, RunComparison, compare_scores
from ragstone.findings.comparison.run_scores import RunScores
from ragstone.findings.report import Report
from ragstone.stats.compare import Comparison

_OPEN = "depends on the undecided"


@dataclass(frozen=True, slots=True)
class ChangePart:
    """A part of the sentence about a change."""

    text: str  # its words
    spec: str = ""  # spec of the metric in the later run; empty where the part is about several
    # for which side the metric moved; empty where it is not known to have moved
    moved: Literal["better", "worse", ""] = ""


def change_parts(found: RunComparison) -> tuple[ChangePart, ...]:
    """Return what moved between two runs, the worse first; of runs in which nothing moved, what could be shown."""
    specs = [spec for _, spec in found.matched.metrics]
    pairs = list(zip(found.metrics, specs, strict=True))
    metrics = [pair for pair in pairs if pair[0].comparison.n or (pair[0].labels and pair[0].labels.n)]
    moved = [part for metric, spec in metrics for part in _moved(metric, spec)]
    moved.sort(key=lambda part: part.moved == "better")
    gone = [ChangePart(f"{name} has no score any more", "", "worse") for name in found.unmeasured]
    open_names = [metric.name for metric, _ in metrics if metric.comparison.verdict == _OPEN]
    if open_names:
        which = "anything" if len(open_names) == len(metrics) > 1 else ", ".join(open_names)
        gone.append(ChangePart(f"whether {which} moved depends on undecided or unmeasured cases"))
    if not moved and not open_names:
        verdict = found.verdict.removesuffix(".")
        return (ChangePart(f"{verdict[0].lower()}{verdict[1:]}"),)
    rest = len(metrics) - len(open_names) - len({part.spec for part in moved})
    return (*gone, *moved, *((ChangePart("nothing else moved"),) if rest > 0 else ()))


def change_sentence(name: str, found: RunComparison) -> str:
    """Return `Against v6 (60 in common): Precision rose by 0.02, nothing else moved.`; `name` is the earlier run's."""
    parts = ", ".join(part.text for part in change_parts(found))
    return f"Against {name} ({found.cases:,} in common): {parts}."


def change_text(after: Report, before: Report) -> str:
    """Return what changed between two runs, as a sentence."""
    found = compare_scores(RunScores.of(before), RunScores.of(after))
    return change_sentence(before.run.plan.name or before.run.id, found)


def _moved(metric: MetricChange, spec: str) -> Iterator[ChangePart]:
    found = metric.comparison
    if found.claimed:
        side = "worse" if found.regressed else "better"
        yield ChangePart(f"{metric.name} {_direction(found)} by {_size(found)}", spec, side)
    if found.unseen_in_mean == "fell":
        yield ChangePart(f"the pass rate of {metric.name} fell", spec, "worse")
    if metric.labels is not None and moved_labels(metric) and not found.claimed:
        yield ChangePart(label_sentence(metric.name, metric.labels), spec)


def _direction(found: Comparison) -> str:
    return "rose" if found.interval.low > 0.0 else "fell"


def _size(found: Comparison) -> str:
    digits = digits_of(found)
    sizes = sorted(abs(size) for size in (found.difference or 0.0, found.difference_high or 0.0))
    return " to ".join(dict.fromkeys(f"{size:.{digits}f}" for size in sizes))
