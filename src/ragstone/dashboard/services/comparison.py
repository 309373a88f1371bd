"""Compare two to five runs with the first: what changed, whether it is significant, and in which cases.

The statistics are those of `findings/comparison`. This module adds the correction for all differences on the page, and
the cases behind the difference of each metric.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ragstone.findings.comparison import MetricChange, RunComparison, RunScores, compare_scores
from ragstone.findings.comparison.figures import (
    ChangePart,
    change_parts,
    details,
    difference,
    means,
    shows_interval,
    unmatched,
)
from ragstone.findings.comparison.model import correct_together
from ragstone.findings.numbers import count
from ragstone.findings.stored import report_from_store
from ragstone.run import Run
from ragstone.show.application import changes
from ragstone.show.comparison import label_values
from ragstone.show.labels import label_changes
from ragstone.stats.interval import Interval
from ragstone.store import Store

LEAST, MOST = 2, 5
_MAX_CASES = 400  # kept per metric of those that got worse, and of those that got better
_MAX_LISTED_NAMES = 4
_TIE_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """A case whose score changed.

    Attributes:
        question: the beginning of its question.
        was: its place in the baseline, from 0; `now` in the other run.
        better: whether the change is for the better.
        flipped: whether it passed in one run and not in the other.
    """

    question: str
    was: int
    now: int
    before: float
    after: float
    better: bool
    flipped: bool


@dataclass(frozen=True, slots=True)
class MetricDifference:
    """One metric in the baseline and in another run.

    Attributes:
        spec: its spec in the other run.
        n: cases that both scored.
        before: mean before; None without cases in common. Likewise `after`.
        interval: of the difference; it holds for all differences shown together.
        p: of the permutation test, corrected for all differences shown (Holm).
        verdict: `better`, `worse`, `no difference shown` or `depends on the undecided`.
        too_few: whether the interval is left out because there are fewer than ten independent cases.
        means: both means as text: ranges where scores are undecided.
        written: the difference with its interval; `sentence` is for readers who do not know p-values.
        notes: pass rates, the test, the power of this dataset.
        broke: how many passed before and miss now; `mended` the other way round.
        moves: cases that got worse, then cases that got better, at most 400 each: flipped ones first, then by change.
        labelled: whether it gives labels in both runs.
    """

    metric: str
    spec: str
    n: int
    before: float | None
    after: float | None
    difference: float | None
    interval: Interval
    p: float
    worse: int
    better: int
    verdict: str
    too_few: bool
    means: tuple[str, str]
    written: str
    sentence: str
    notes: tuple[str, ...]
    broke: int
    mended: int
    moves: list[ScoreChange]
    labelled: bool = False


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """The baseline and one other run.

    Attributes:
        cases: cases in common.
        verdict: whether it is better, in one sentence.
        state: red if a metric got worse, yellow if something is left open, otherwise green.
        warnings: reasons why the comparison may be unfair.
        missing: cases and metrics that only one of them has, in words.
        labels: how the labels of each metric that gives some changed, as in the JSON document of a comparison.
        sections: what the page shows below the metrics: what the application took, and the labels; not in the API.
    """

    run: str
    name: str
    cases: int
    verdict: str
    state: str
    warnings: list[str]
    metrics: list[MetricDifference]
    missing: list[str]
    labels: dict[str, Any] = field(default_factory=dict[str, Any])
    sections: Annotated[Any, Field(exclude=True)] = ()


@dataclass(frozen=True, slots=True)
class ComparisonSet:
    """Several runs compared with the first; the p-values are corrected for the `looked_at` differences shown."""

    baseline: str
    name: str
    looked_at: int
    others: list[ComparedRun]


@dataclass(frozen=True, slots=True)
class RunChange:
    """How a run changed against its baseline: id and name of that, the cases in common, what moved and what did not."""

    baseline: str
    name: str
    cases: int
    parts: tuple[ChangePart, ...]


def change_of(store: Store, ids: Sequence[str]) -> RunChange:
    """Return how the second of two runs changed against the first."""
    before, after = [store.find_exact(run) for run in ids]
    found = compare_scores(*(RunScores.of(report_from_store(store, stored)) for stored in (before, after)))
    return RunChange(before.run.id, name_of(before.run), found.cases, change_parts(found))


def compare_runs(store: Store, ids: Sequence[str]) -> ComparisonSet:
    """Return the comparison of the first run with each of the others; large runs take seconds."""
    runs = [store.find(run) for run in ids]
    first, *scores = [RunScores.of(report_from_store(store, stored)) for stored in runs]
    compared = [compare_scores(first, other) for other in scores]
    # The p-values are corrected for all differences together.
    corrected = iter(correct_together([metric for each in compared for metric in each.metrics]))
    comparisons = [replace(each, metrics=tuple(islice(corrected, len(each.metrics)))) for each in compared]
    looked_at = sum(metric.comparison.n > 0 for comparison in comparisons for metric in comparison.metrics)
    others = [
        ComparedRun(
            run=stored.run.id,
            name=name_of(stored.run),
            cases=comparison.cases,
            verdict=comparison.verdict,
            state=comparison.state,
            warnings=list(comparison.warnings),
            metrics=_metric_differences(comparison),
            missing=list(_missing_texts(comparison)),
            labels={
                metric.name: label_values(metric.labels)
                for metric in comparison.metrics
                if metric.labels is not None and metric.labels.n
            },
            sections=(*changes(comparison.application), *label_changes(comparison.metrics)),
        )
        for stored, comparison in zip(runs[1:], comparisons, strict=True)
    ]
    return ComparisonSet(
        baseline=runs[0].run.id, name=name_of(runs[0].run), looked_at=looked_at, others=others
    )


def name_of(run: Run) -> str:
    """Return the name of a run, or its id without one."""
    return run.plan.name or run.id


def _metric_differences(comparison: RunComparison) -> list[MetricDifference]:
    """Return the differences of the metrics; the questions of all cases behind them are read at once."""
    pairs = np.array(comparison.matched.cases.pairs, dtype=np.intp).reshape(-1, 2)
    before, after = comparison.matched.before, comparison.matched.after
    changed = [_changed_cases(comparison, pairs, *specs) for specs in comparison.matched.metrics]
    places = sorted({was for rows in changed for was, *_ in rows})
    questions = dict(zip(places, before.beginnings(places), strict=True))
    moves = [
        [
            ScoreChange(
                questions[was], int(before.case_indices[was]), int(after.case_indices[now]), *scores, *kinds
            )
            for was, now, scores, kinds in rows
        ]
        for rows in changed
    ]
    specs = [spec for _, spec in comparison.matched.metrics]
    return [
        _metric_difference(metric, comparison, spec, listed)
        for metric, spec, listed in zip(comparison.metrics, specs, moves, strict=True)
    ]


def _metric_difference(
    metric: MetricChange, comparison: RunComparison, spec: str, moves: list[ScoreChange]
) -> MetricDifference:
    figures = metric.comparison
    names = ("n", "before", "after", "difference", "interval", "worse", "better", "verdict")
    return MetricDifference(
        metric=metric.name,
        spec=spec,
        p=figures.adjusted_p,
        too_few=not shows_interval(figures),
        means=means(figures, "\N{EN DASH}"),
        written=difference(figures),
        sentence=figures.sentence(),
        notes=tuple(details(metric, comparison, "differences")),
        broke=metric.broke,
        mended=metric.flips.mended,
        moves=moves,
        labelled=metric.labels is not None and metric.labels.n > 0,
        **{name: getattr(figures, name) for name in names},
    )


_ChangedCase = tuple[int, int, tuple[float, float], tuple[bool, bool]]
"""Where a case is among those of both runs, its scores before and after, whether it got better, whether it flipped."""


def _changed_cases(
    comparison: RunComparison, pairs: NDArray[np.intp], old: str, new: str
) -> list[_ChangedCase]:
    """Return the cases whose score in a metric changed: those that got worse, then those that got better.

    Of each kind those that flipped come first, then the largest change.
    """
    before, after = comparison.matched.before.metrics[old], comparison.matched.after.metrics[new]
    was, now = pairs.T
    change = after.scores[now] - before.scores[was]  # NaN where one of them was not measured
    better = (change > 0.0) == after.higher_is_better
    flipped = (before.passed[was] & ~after.may_pass[now]) | (~before.may_pass[was] & after.passed[now])
    order = np.lexsort((-np.abs(change), ~flipped))
    order = order[np.abs(change[order]) > _TIE_TOLERANCE]
    selected = np.concatenate([order[~better[order]][:_MAX_CASES], order[better[order]][:_MAX_CASES]])
    columns = (was, now, before.scores[was], after.scores[now], better, flipped)
    rows = zip(*(column[selected].tolist() for column in columns), strict=True)
    return [(was, now, (first, last), (rose, flips)) for was, now, first, last, rose, flips in rows]


def _missing_texts(comparison: RunComparison) -> Iterator[str]:
    for words, names in unmatched(comparison):
        listed = f": {', '.join(names[:_MAX_LISTED_NAMES])}" if len(names) <= _MAX_LISTED_NAMES else ""
        yield f"{words}{listed}"
    if comparison.cases and comparison.by_question:
        yield f"{count(comparison.by_question, 'case')} of {comparison.cases:,} matched by the question alone"
