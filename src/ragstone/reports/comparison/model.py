"""The comparison of two runs on the cases that both have.

Metric by metric the mean difference with its interval, corrected for the number of metrics; a difference is claimed
only where test and interval agree. What flipped is named, and so is what would make the comparison unfair.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from ragstone.errors import BadOption
from ragstone.reports.clusters import check_cluster, clusters
from ragstone.reports.comparison.caveats import caveats
from ragstone.reports.comparison.matching import (
    MatchedCases,
    MatchedRuns,
    by_spec,
    match_cases,
    match_metrics,
)
from ragstone.reports.formats.registry import Renderable
from ragstone.reports.load import load_report
from ragstone.reports.report import Report
from ragstone.reports.view.metric_names import metric_name, metric_names
from ragstone.result import Result
from ragstone.stats.compare import Comparison, compare_runs, correct_for_multiple

WORTH = 0.05
"""The smallest change worth knowing, by default."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A case that passed in one run and failed in the other.

    Attributes:
        case_id: of the case, in the later run.
        question: its input; empty where the run was read from JSON lines.
        before: its score before.
        after: its score after.
        broke: it passed before and fails now; False: it was mended.
        reason: why it scores what it scores now.
    """

    case_id: str
    question: str
    before: float
    after: float
    broke: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class MetricChange:
    """One metric in both runs.

    Attributes:
        name: what it is called.
        comparison: means, difference with interval, tests, cases better and worse.
        flips: cases that changed sides of the threshold, those that broke first, the largest change first.
        thresholds: before and after.
        lost: cases scored before that could not be measured after.
        needed: cases that would show a change of `worth`; None where nothing was measured in both.
    """

    name: str
    comparison: Comparison
    flips: tuple[Flip, ...]
    thresholds: tuple[float, float]
    lost: int
    needed: int | None

    @property
    def broke(self) -> int:
        """Cases that passed before and fail now."""
        return sum(flip.broke for flip in self.flips)


@dataclass(frozen=True, kw_only=True, repr=False)
class RunComparison(Renderable):
    """Two runs over the same cases.

    Attributes:
        before: the earlier run.
        after: the later run.
        metrics: those that both runs have, in the order of the earlier one.
        cases: how many cases both runs have.
        by_question: how many of those were matched by their question, since their ids differ.
        only_before: ids of cases that only the earlier run has.
        only_after: ids of cases that only the later run has.
        metrics_only_before: metrics that only the earlier run has.
        metrics_only_after: metrics that only the later run has.
        warnings: what makes the comparison less than fair: another judge, other wording, cases lost.
        worth: the smallest change worth knowing, for `MetricChange.needed`.
        matched: the cases and metrics in common, with their results.
    """

    renderings: ClassVar = "comparison"

    before: Report
    after: Report
    metrics: tuple[MetricChange, ...]
    cases: int
    by_question: int
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    metrics_only_before: tuple[str, ...]
    metrics_only_after: tuple[str, ...]
    warnings: tuple[str, ...]
    worth: float
    matched: MatchedRuns

    def __repr__(self) -> str:
        """Return the verdict."""
        return f"<RunComparison over {self.cases} cases: {self.verdict}>"

    @property
    def regressed(self) -> bool:
        """Whether a metric got worse, beyond chance and beyond the number of metrics looked at."""
        return any(metric.comparison.regressed for metric in self.metrics)

    @property
    def measured(self) -> bool:
        """Whether any case was scored by the same metric in both runs."""
        return any(metric.comparison.n for metric in self.metrics)

    @property
    def exit_code(self) -> int:
        """For continuous integration: 1 something got worse for real, 3 nothing could be compared, otherwise 0."""
        return 1 if self.regressed else 0 if self.measured else 3

    @property
    def verdict(self) -> str:
        """Is it better? In one sentence."""
        if not self.measured:
            return "Nothing could be compared: no case was scored by the same metric in both runs."
        worse = [metric.name for metric in self.metrics if metric.comparison.verdict == "worse"]
        better = [metric.name for metric in self.metrics if metric.comparison.verdict == "better"]
        change_sentences = [
            f"{', '.join(names)} got {word}"
            for names, word in ((worse, "worse"), (better, "better"))
            if names
        ]
        if not change_sentences:
            return "No difference between the two runs that this dataset could show."
        rest = len(self.metrics) - len(worse) - len(better)
        return "; ".join(change_sentences) + (f"; no difference shown in {rest} more" if rest else "") + "."


def compare(
    before: str | Path | Report,
    after: str | Path | Report,
    *,
    cluster: str | None = None,
    worth: float = WORTH,
    store: bool | str | Path | None = None,
) -> RunComparison:
    """Compare two runs over the same cases.

    Args:
        before: the earlier run: a report, a `.json` or `.jsonl` file that `--output` wrote, or the id or name of a run
            in a store.
        after: the later run.
        cluster: key of the test cases' metadata by which they are grouped; by default as the runs were asked for.
        worth: the smallest change of a score worth knowing, in (0, 1]: the cases needed to show it are reported.
        store: where runs that are named rather than given are kept; the file in the user's data folder where None.

    Raises:
        BadDataset: a file is missing, or no report.
        UsageError: there is no such run.
        BadOption: `worth` is no change of a score, or no case can be grouped.
        UnknownName: no case has that metadata key.
    """
    if not 0 < worth <= 1:
        raise BadOption(f"worth={worth!r} is no change of a score: write a number above 0, up to 1")
    old, new = load_report(before, store), load_report(after, store)
    matched = match_cases(old.cases, new.cases)
    groups = _groups(old, new, matched, cluster)
    rows = by_spec(old), by_spec(new)
    paired, only_before, only_after = match_metrics(*rows)
    names = metric_names(next(iter(found.values())) for found in rows[1].values())
    changes = [
        _metric_change(new, matched, names, rows[0][spec], rows[1][other], groups=groups, worth=worth)
        for spec, other in paired
    ]
    corrected = correct_for_multiple([change.comparison for change in changes])
    metrics = tuple(replace(change, comparison=each) for change, each in zip(changes, corrected, strict=True))
    return RunComparison(
        before=old,
        after=new,
        metrics=metrics,
        cases=len(matched.pairs),
        by_question=matched.by_question,
        only_before=tuple(old.cases[place].id for place in matched.only_before),
        only_after=tuple(new.cases[place].id for place in matched.only_after),
        metrics_only_before=tuple(only_before),
        metrics_only_after=tuple(only_after),
        warnings=tuple(caveats(old, new, matched, [(m.name, m.thresholds, m.lost) for m in metrics])),
        worth=worth,
        matched=MatchedRuns(matched, tuple(paired), *rows),
    )


def _groups(old: Report, new: Report, matched: MatchedCases, key: str | None) -> list[Hashable] | None:
    key = key or new.run.plan.cluster or old.run.plan.cluster
    cases = [
        new.cases[place] if new.cases[place].metadata else old.cases[other] for other, place in matched.pairs
    ]
    check_cluster(cases, key if cases else None)
    return clusters(cases, key)


def _metric_change(
    new: Report,
    matched: MatchedCases,
    names: Mapping[str, str],
    rows_before: Mapping[int, Result],
    rows_after: Mapping[int, Result],
    *,
    groups: Sequence[Hashable] | None,
    worth: float,
) -> MetricChange:
    first = next(iter(rows_after.values()))
    old = [rows_before.get(place) for place, _ in matched.pairs]
    later = [rows_after.get(place) for _, place in matched.pairs]
    found = compare_runs(
        [None if result is None else result.score for result in old],
        [None if result is None else result.score for result in later],
        metric=metric_name(first, names),
        higher_is_better=first.higher_is_better,
        passes_before=[None if result is None else result.success for result in old],
        passes_after=[None if result is None else result.success for result in later],
        clusters=groups,
    )
    return MetricChange(
        name=metric_name(first, names),
        comparison=found,
        flips=_flips(new, matched, old, later),
        thresholds=(next(iter(rows_before.values())).threshold, first.threshold),
        lost=sum(_lost(before, after) for before, after in zip(old, later, strict=True)),
        needed=found.cases_needed(worth),
    )


def _lost(before: Result | None, after: Result | None) -> bool:
    return before is not None and before.score is not None and (after is None or after.score is None)


def _flips(
    new: Report, matched: MatchedCases, before: Sequence[Result | None], after: Sequence[Result | None]
) -> tuple[Flip, ...]:
    flips: list[Flip] = []
    for (_, place), old, later in zip(matched.pairs, before, after, strict=True):
        if old is None or later is None or old.score is None or later.score is None:
            continue
        if old.success != later.success:
            case = new.cases[place]
            flips.append(Flip(case.id, case.input, old.score, later.score, old.success, later.reason))
    return tuple(sorted(flips, key=lambda flip: (not flip.broke, -abs(flip.after - flip.before))))
