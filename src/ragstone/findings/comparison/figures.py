"""The figures of a comparison in words, and what changed between two runs: the second thing said of a run."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ragstone.findings.comparison.findings import label_sentence
from ragstone.findings.comparison.metric_change import MetricChange
from ragstone.findings.comparison.model import RunComparison, compare_scores
from ragstone.findings.comparison.run_scores import RunScores
from ragstone.findings.numbers import count, p_value, percent, score
from ragstone.findings.report import Report
from ragstone.stats.changes import PassChange
from ragstone.stats.compare import Comparison
from ragstone.stats.interval import NEXT_TO_ZERO

_MINUS = "\N{MINUS SIGN}"
_MAX_DIGITS = 6
_OPEN = "depends on the undecided"


def signed(value: float, digits: int = 2) -> str:
    """Return a difference with its sign; 0 has none."""
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0.0:
        return text
    return f"{_MINUS if value < 0 else '+'}{text}"


def digits_of(found: Comparison) -> int:
    """Return the number of decimals of a difference and its interval: two, more if two would print a nonzero one as 0.

    Where a difference is claimed, neither end of its interval is printed as 0.
    """
    ends = (found.interval.low, found.interval.high) if found.claimed else ()
    sizes = [abs(size) for size in (found.difference or 0.0, found.difference_high or 0.0, *ends)]
    for digits in range(2, _MAX_DIGITS):
        if all(round(size, digits) for size in sizes if size > NEXT_TO_ZERO):
            return digits
    return _MAX_DIGITS


def shows_interval(found: Comparison) -> bool:
    """Return whether the interval is shown: with too few cases only where a difference is claimed."""
    return not found.interval.too_few or found.claimed


def means(found: Comparison, nothing: str) -> tuple[str, str]:
    """Return the means before and after: `0.85`, `0.78 to 0.88` where scores are undecided, or `nothing`."""
    return _mean(found.before, found.before_high, nothing), _mean(found.after, found.after_high, nothing)


def _mean(low: float | None, high: float | None, nothing: str) -> str:
    if low is None or high is None:
        return nothing
    return score(low) if low == high else f"{score(low)} to {score(high)}"


def difference(found: Comparison) -> str:
    """Return `-0.03 (-0.05 to -0.01)`; with few cases the interval only where it shows a difference."""
    if found.difference is None or found.difference_high is None:
        return "no cases in common"
    digits = digits_of(found)
    ends = sorted((found.difference, found.difference_high))
    size = " to ".join(dict.fromkeys(signed(end, digits) for end in ends))
    if not shows_interval(found):
        return f"{size} (too few to say)"
    return f"{size} ({_end(found.interval.low, digits)} to {_end(found.interval.high, digits)})"


def _end(value: float, digits: int) -> str:
    if value and abs(value) < NEXT_TO_ZERO:
        return "above 0" if value > 0 else "below 0"
    return signed(value, digits)


def details(metric: MetricChange, comparison: RunComparison, what: str) -> Iterator[str]:
    """Yield the figures behind a sentence: pass rates, the test of all `what` together, the power of the dataset."""
    paired, margin = metric.comparison, comparison.margin
    if paired.passes:
        yield _pass_rates(paired.passes)
    if margin is not None:
        words = "not worse" if paired.is_not_worse_by(margin) else "not shown: not worse"
        yield f"{words} by more than {margin:g}{' (95 %)' if words == 'not worse' else ''}"
    if paired.n:
        yield _tests(paired, what)
        if paired.detectable is not None:
            yield f"smallest difference that {count(paired.n, 'case')} show: {paired.detectable:.2g}"
        if metric.needed is not None:
            yield f"a change of {comparison.worth:g} needs {count(metric.needed, 'case')}"


def unmatched(comparison: RunComparison) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a heading and the names of the cases, then of the metrics, that only one of the runs has."""
    for when, cases, metrics in (
        ("earlier", comparison.only_before, comparison.metrics_only_before),
        ("later", comparison.only_after, comparison.metrics_only_after),
    ):
        if cases:
            yield f"{count(len(cases), 'case')} only in the {when} run", cases
        if metrics:
            yield f"{count(len(metrics), 'metric')} only in the {when} run", metrics


def _pass_rates(found: PassChange) -> str:
    """Return the change of the pass rate, and McNemar's test of it."""
    flips = f"{found.broke} broke, {found.mended} mended"
    changed = found.broke + found.mended
    corrected = " (Holm)" if found.adjusted_p != found.p_value else ""
    tested = f"; McNemar {p_value(found.adjusted_p)}{corrected}" if changed else ""
    before, after = (
        percent(low) if low == high else f"{percent(low)} to {percent(high)}"
        for low, high in ((found.before, found.before_high), (found.after, found.after_high))
    )
    return f"passed {before} before, {after} after: {flips}{tested}"


def _tests(found: Comparison, what: str) -> str:
    """Return the p-value of the difference, and the figures without correction where several are tested together."""
    if found.tested == 1:
        return f"permutation test {p_value(found.p_value)}"
    digits, single = digits_of(found), found.single_interval
    text = "" if single.too_few else f"{signed(single.low, digits)} to {signed(single.high, digits)}, "
    return (
        f"permutation test for {found.tested} {what} together {p_value(found.adjusted_p)} (Holm); "
        f"this one alone, uncorrected: {text}{p_value(found.p_value)}"
    )


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
    metrics = [pair for pair in pairs if pair[0].measured]
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
        direction = "rose" if found.interval.low > 0.0 else "fell"
        yield ChangePart(f"{metric.name} {direction} by {_size(found)}", spec, side)
    if found.unseen_in_mean == "fell":
        yield ChangePart(f"the pass rate of {metric.name} fell", spec, "worse")
    if metric.labels is not None and metric.labels_changed and not found.claimed:
        yield ChangePart(label_sentence(metric.name, metric.labels), spec)


def _size(found: Comparison) -> str:
    digits = digits_of(found)
    sizes = sorted(abs(size) for size in (found.difference or 0.0, found.difference_high or 0.0))
    return " to ".join(dict.fromkeys(f"{size:.{digits}f}" for size in sizes))
