"""Compare two to five runs with the first: what changed, whether it is significant, and in which cases.

The statistics are those of `reports/comparison`. This module adds the correction for all differences on the page, and
the cases behind the difference of each metric.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from ragstone.reports.comparison import MetricChange, RunComparison, RunScores, compare_scores
from ragstone.reports.comparison.figures import difference, pass_rates, power, shows_interval, tests
from ragstone.reports.comparison.markdown import unmatched
from ragstone.reports.numbers import count
from ragstone.reports.stored import report_from_store
from ragstone.run import Run
from ragstone.stats.compare import correct_for_multiple
from ragstone.store import Store

LEAST, MOST = 2, 5
_KEPT = 400
"""Limit on the cases that are kept per metric, for those that got worse and for those that got better."""
_NAMED = 4
_TIE = 1e-9


class ScoreChange(BaseModel):
    """A case whose score changed.

    Attributes:
        question: the beginning of its question.
        was: its place in the baseline, from 0.
        now: its place in the other run.
        before: its score before.
        after: its score after.
        better: whether the change is for the better.
        flipped: whether it passed in one run and not in the other.
    """

    model_config = ConfigDict(frozen=True)

    question: str
    was: int
    now: int
    before: float
    after: float
    better: bool
    flipped: bool


class MetricDifference(BaseModel):
    """One metric in the baseline and in another run.

    Attributes:
        metric: its name.
        spec: its spec in the other run.
        n: cases that both scored.
        before: mean before; None without cases in common.
        after: mean after.
        difference: after minus before.
        low: lower end of its interval, which holds for all differences shown together.
        high: upper end.
        too_few: whether the interval is left out because there are fewer than ten independent cases.
        p: of the permutation test, corrected for all differences shown (Holm).
        verdict: `better`, `worse` or `no difference shown`.
        written: the difference with its interval.
        sentence: the same for readers who do not know p-values.
        notes: pass rates, the test, the power of this dataset.
        worse: how many cases got worse.
        better: how many got better.
        broke: how many passed before and fail now.
        mended: how many failed before and pass now.
        moves: cases that got worse, then cases that got better, at most 400 each: flipped ones first, then by change.
    """

    model_config = ConfigDict(frozen=True)

    metric: str
    spec: str
    n: int
    before: float | None
    after: float | None
    difference: float | None
    low: float
    high: float
    too_few: bool
    p: float
    verdict: str
    written: str
    sentence: str
    notes: list[str]
    worse: int
    better: int
    broke: int
    mended: int
    moves: list[ScoreChange]


class ComparedRun(BaseModel):
    """The baseline and one other run.

    Attributes:
        run: id of the other run.
        name: its name.
        cases: cases in common.
        verdict: whether it is better, in one sentence.
        warnings: reasons why the comparison may be unfair.
        metrics: the metrics that both have.
        missing: cases and metrics that only one of them has, in words.
    """

    model_config = ConfigDict(frozen=True)

    run: str
    name: str
    cases: int
    verdict: str
    warnings: list[str]
    metrics: list[MetricDifference]
    missing: list[str]


class ComparisonSet(BaseModel):
    """Several runs compared with the first.

    Attributes:
        baseline: id of the first run.
        name: its name.
        looked_at: number of differences shown; the p-values are corrected for it.
        others: the comparison of each other run with it.
    """

    model_config = ConfigDict(frozen=True)

    baseline: str
    name: str
    looked_at: int
    others: list[ComparedRun]


def compare_runs(store: Store, ids: Sequence[str]) -> ComparisonSet:
    """Return the comparison of the first run with each of the others; large runs take seconds."""
    runs = [store.find(run) for run in ids]
    first, *scores = [RunScores.of(report_from_store(store, stored)) for stored in runs]
    found = _corrected([compare_scores(first, other) for other in scores])
    looked_at = sum(metric.comparison.n > 0 for one in found for metric in one.metrics)
    others = [
        ComparedRun(
            run=stored.run.id,
            name=name_of(stored.run),
            cases=one.cases,
            verdict=one.verdict,
            warnings=list(one.warnings),
            metrics=_changes(one),
            missing=list(_missing(one)),
        )
        for stored, one in zip(runs[1:], found, strict=True)
    ]
    return ComparisonSet(
        baseline=runs[0].run.id, name=name_of(runs[0].run), looked_at=looked_at, others=others
    )


def _corrected(found: Sequence[RunComparison]) -> list[RunComparison]:
    """Return the comparisons with their p-values corrected for all of them together."""
    fair = iter(correct_for_multiple([metric.comparison for one in found for metric in one.metrics]))
    return [
        replace(one, metrics=tuple(replace(metric, comparison=next(fair)) for metric in one.metrics))
        for one in found
    ]


def name_of(run: Run) -> str:
    """Return the name of a run, or its id without one."""
    return run.plan.name or run.id


def _changes(one: RunComparison) -> list[MetricDifference]:
    pairs = np.array(one.matched.cases.pairs, dtype=np.intp).reshape(-1, 2)
    changed = [_changed(one, pairs, *specs) for specs in one.matched.metrics]
    places = sorted({place for rows in changed for place in rows.was})
    questions = dict(zip(places, one.matched.before.beginnings(places), strict=True))
    return [
        _change(metric, one, spec, list(_moves(one, rows, questions)))
        for metric, (_, spec), rows in zip(one.metrics, one.matched.metrics, changed, strict=True)
    ]


def _change(
    metric: MetricChange, one: RunComparison, spec: str, moves: list[ScoreChange]
) -> MetricDifference:
    found = metric.comparison
    parts = [pass_rates(found.passes)] if found.passes else []
    return MetricDifference(
        metric=metric.name,
        spec=spec,
        n=found.n,
        before=found.before,
        after=found.after,
        difference=found.difference,
        low=found.interval.low,
        high=found.interval.high,
        too_few=not shows_interval(found),
        p=found.adjusted_p,
        verdict=found.verdict,
        written=difference(found),
        sentence=found.sentence(),
        notes=[text for text in (*parts, tests(found, "differences"), power(metric, one)) if text],
        worse=found.worse,
        better=found.better,
        broke=metric.broke,
        mended=metric.flips.mended,
        moves=moves,
    )


class _Changed(NamedTuple):
    """Cases whose score changed: those that got worse and those that got better, each in the order shown."""

    was: list[int]
    now: list[int]
    before: list[float]
    after: list[float]
    better: list[bool]
    flipped: list[bool]


def _changed(one: RunComparison, pairs: NDArray[np.intp], old: str, new: str) -> _Changed:
    """Return the cases whose score in a metric changed: those that flipped first, then the largest change first."""
    before, after = one.matched.before.metrics[old], one.matched.after.metrics[new]
    was, now = pairs.T
    rise = after.scores[now] - before.scores[was]  # NaN where one of them was not measured
    better = (rise > 0.0) == after.higher_is_better
    flipped = before.passed[was] != after.passed[now]
    order = np.lexsort((-np.abs(rise), ~flipped))
    order = order[np.abs(rise[order]) > _TIE]
    shown = np.concatenate([order[~better[order]][:_KEPT], order[better[order]][:_KEPT]])
    columns = (was, now, before.scores[was], after.scores[now], better, flipped)
    return _Changed(*(column[shown].tolist() for column in columns))


def _moves(one: RunComparison, rows: _Changed, questions: Mapping[int, str]) -> Iterator[ScoreChange]:
    indices = one.matched.before.case_indices, one.matched.after.case_indices
    for was, now, before, after, better, flipped in zip(*rows, strict=True):
        yield ScoreChange(
            question=questions[was],
            was=int(indices[0][was]),
            now=int(indices[1][now]),
            before=before,
            after=after,
            better=better,
            flipped=flipped,
        )


def _missing(one: RunComparison) -> Iterator[str]:
    for words, names in unmatched(one):
        parts = f": {', '.join(names[:_NAMED])}" if len(names) <= _NAMED else ""
        yield f"{words}{parts}"
    if one.cases and one.by_question:
        yield f"{count(one.by_question, 'case')} of {one.cases:,} matched by the question alone"
