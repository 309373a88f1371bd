"""Compare two to five runs with the first: what changed, whether it is significant, and in which cases.

The statistics are those of `reports/comparison`. Added are the correction for all differences on the page, and the
cases behind the difference of each metric.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple, cast

from pydantic import BaseModel, ConfigDict

from ragstone.case import TestCase
from ragstone.reports import Report
from ragstone.reports.comparison import MetricChange, RunComparison, compare
from ragstone.reports.comparison.figures import difference, pass_rates, power, shows_interval, tests
from ragstone.reports.comparison.markdown import unmatched
from ragstone.reports.numbers import count
from ragstone.result import Result
from ragstone.run import Run
from ragstone.stats.compare import correct_for_multiple
from ragstone.store import ScoreTable, Store, StoredRun

LEAST, MOST = 2, 5
_KEPT = 400
"""Cases that a metric keeps of those that got worse, and of those that got better."""
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
        metric: what it is called.
        spec: its spec in the other run.
        n: cases that both scored.
        before: mean before; None where nothing is in common.
        after: mean after.
        difference: after minus before.
        low: lower end of its interval, which holds for all differences shown together.
        high: upper end.
        too_few: whether the interval is left out, since fewer than ten independent cases stand behind it.
        p: of the permutation test, corrected for all differences shown (Holm).
        verdict: `better`, `worse` or `no difference shown`.
        written: the difference with its interval.
        sentence: the same for someone who has never heard of a p-value.
        notes: pass rates, the test, what this dataset could have shown.
        worse: how many cases got worse.
        better: how many got better.
        broke: how many passed before and fail now.
        mended: how many failed before and pass now.
        moves: those cases, the largest change first; not all where there are very many.
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
        name: what it is called.
        cases: cases in common.
        verdict: is it better, in one sentence.
        warnings: what makes the comparison less than fair.
        metrics: those that both have.
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
    """Several runs held against the first.

    Attributes:
        baseline: id of the first run.
        name: what it is called.
        looked_at: how many differences are shown, for which their p-values are corrected.
        others: each other run against it.
    """

    model_config = ConfigDict(frozen=True)

    baseline: str
    name: str
    looked_at: int
    others: list[ComparedRun]


def compare_runs(store: Store, ids: Sequence[str]) -> ComparisonSet:
    """Return the comparison of the first run with each of the others: seconds of work where they are large."""
    runs = [store.find(run) for run in ids]
    outlines = [store.score_table(stored) for stored in runs]
    reports = [
        _report(store, stored, score_table) for stored, score_table in zip(runs, outlines, strict=True)
    ]
    found = _corrected([compare(reports[0], report) for report in reports[1:]])
    looked_at = sum(metric.comparison.n > 0 for one in found for metric in one.metrics)
    others = [
        ComparedRun(
            run=stored.run.id,
            name=name_of(stored.run),
            cases=one.cases,
            verdict=one.verdict,
            warnings=list(one.warnings),
            metrics=_changes(one, outlines[0], score_table),
            missing=list(_missing(one)),
        )
        for stored, score_table, one in zip(runs[1:], outlines[1:], found, strict=True)
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
    """Return what a run is called."""
    return run.plan.name or run.id


def _report(store: Store, stored: StoredRun, score_table: ScoreTable) -> Report:
    grouped = stored.run.plan.cluster is not None
    return Report(
        run=stored.run,
        cases=list(store.cases(stored)) if grouped else cast("list[TestCase]", score_table.cases),
        results=cast("list[list[Result]]", score_table.results),  # all of them that a comparison reads
        complete=stored.state == "complete",
    )


def _changes(one: RunComparison, first: ScoreTable, other: ScoreTable) -> list[MetricDifference]:
    matched = one.matched
    pairs = matched.cases.pairs
    return [
        _change(metric, one, spec, _moves(first, other, pairs, matched.before[old], matched.after[spec]))
        for metric, (old, spec) in zip(one.metrics, matched.metrics, strict=True)
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
        mended=len(metric.flips) - metric.broke,
        moves=moves,
    )


def _moves(
    first: ScoreTable,
    other: ScoreTable,
    pairs: Sequence[tuple[int, int]],
    before: Mapping[int, Result],
    after: Mapping[int, Result],
) -> list[ScoreChange]:
    """Return the cases whose score changed: those that flipped first, then the largest change first."""
    changed = sorted(_changed(pairs, before, after))
    worse = islice((found for found in changed if not found.better), _KEPT)
    better = islice((found for found in changed if found.better), _KEPT)
    return [
        ScoreChange(
            question=first.cases[found.was].input,
            was=first.indices[found.was],
            now=other.indices[found.now],
            before=before[found.was].score or 0.0,
            after=after[found.now].score or 0.0,
            better=found.better,
            flipped=not found.stayed,
        )
        for found in (*worse, *better)
    ]


class _Changed(NamedTuple):
    """A case whose score changed, in the order in which such cases are shown."""

    stayed: bool
    minus_size: float
    was: int
    now: int
    better: bool


def _changed(
    pairs: Sequence[tuple[int, int]], before: Mapping[int, Result], after: Mapping[int, Result]
) -> Iterator[_Changed]:
    for was, now in pairs:
        old, new = before.get(was), after.get(now)
        if old is None or new is None or old.score is None or new.score is None:
            continue
        rise = new.score - old.score
        if abs(rise) > _TIE:
            better = (rise > 0.0) == new.higher_is_better
            yield _Changed(old.success == new.success, -abs(rise), was, now, better)


def _missing(one: RunComparison) -> Iterator[str]:
    for words, names in unmatched(one):
        parts = f": {', '.join(names[:_NAMED])}" if len(names) <= _NAMED else ""
        yield f"{words}{parts}"
    if one.cases and one.by_question:
        yield f"{count(one.by_question, 'case')} of {one.cases:,} known by the question alone"
