"""The comparison of two runs on the cases that both have.

It holds the mean difference of each metric with its interval, corrected for the number of metrics, the flipped cases,
and warnings if the comparison is unfair or cannot tell. A case that was scored before and is not any more may have any
score now: between 0 and 1 (`stats/compare.py`, bounds).
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragstone.errors import BadOption
from ragstone.findings.application import QuantityChange, quantity_changes
from ragstone.findings.clusters import check_cluster, clusters
from ragstone.findings.comparison.findings import caveats, findings, summary
from ragstone.findings.comparison.metric_change import Flips, MetricChange
from ragstone.findings.comparison.run_scores import (
    MatchedCases,
    MatchedRuns,
    RunScores,
    match_cases,
    match_metrics,
)
from ragstone.findings.load import load_report
from ragstone.findings.registry import Renderable
from ragstone.findings.report import Report
from ragstone.findings.view.metric_names import metric_name, metric_names
from ragstone.stats.compare import PairedScores, compare_paired
from ragstone.stats.label_change import LabelChange, compare_labels, correct_labels
from ragstone.stats.metric_scores import MetricScores
from ragstone.stats.multiple import correct_for_multiple

WORTH = 0.05
"""Default of the smallest change worth knowing."""


@dataclass(frozen=True, kw_only=True, repr=False)
class RunComparison(Renderable):
    """Comparison of two runs over the same cases.

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
        caveats: reasons why the comparison may be unfair: another judge, other wording, cases lost.
        worth: the smallest change worth knowing, for `MetricChange.needed`.
        margin: how much worse a metric may be and still count as not worse; None where this was not asked.
        application: how latency, tokens and cost of the answers changed, if applications gave them in both runs.
        matched: the cases and metrics in common, with their scores.
    """

    subject: ClassVar = "comparison"

    before: Report
    after: Report
    metrics: tuple[MetricChange, ...]
    cases: int
    by_question: int
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    metrics_only_before: tuple[str, ...]
    metrics_only_after: tuple[str, ...]
    caveats: tuple[str, ...]
    worth: float
    matched: MatchedRuns
    margin: float | None = None
    application: tuple[QuantityChange, ...] = ()

    def __repr__(self) -> str:
        return f"<RunComparison over {self.cases} cases: {self.verdict}>"

    @property
    def regressed(self) -> bool:
        """Whether a metric got significantly worse, corrected for the number of metrics."""
        return any(metric.comparison.regressed for metric in self.metrics)

    @property
    def measured(self) -> bool:
        """Whether any case was scored, or given a label, by the same metric in both runs."""
        return any(metric.measured for metric in self.metrics)

    @property
    def unmeasured(self) -> tuple[str, ...]:
        """The metrics that the earlier run measured and that have no score in the later one."""
        lost = (metric.name for metric in self.metrics if metric.lost and not metric.measured)
        return (*self.metrics_only_before, *lost)

    @property
    def findings(self) -> tuple[str, ...]:
        """What the metrics leave open: a pass rate that fell, too few or undecided cases, a margin, a lost metric."""
        return tuple(findings(self.metrics, self.unmeasured, self.margin))

    @property
    def warnings(self) -> tuple[str, ...]:
        """All reasons for doubt: `caveats` and `findings`."""
        return (*self.caveats, *self.findings)

    @property
    def undecidable(self) -> bool:
        """Whether cases got worse, but in every metric too few to show any difference, whatever it is."""
        compared = [metric.comparison for metric in self.metrics if metric.comparison.n]
        return any(each.worse for each in compared) and not any(each.can_show for each in compared)

    @property
    def not_worse(self) -> bool | None:
        """Whether every metric is shown not to be worse by more than the margin; None where this was not asked."""
        if self.margin is None:
            return None
        return self.measured and all(each.comparison.is_not_worse_by(self.margin) for each in self.metrics)

    @property
    def state(self) -> Literal["red", "yellow", "green"]:
        """Red if a metric regressed, yellow if nothing could be compared or something is left open, otherwise green.

        A regression is yellow where every metric is shown not to be worse by more than the margin.
        """
        if self.regressed and not self.not_worse:
            return "red"
        return "green" if self.measured and not self.findings else "yellow"

    @property
    def exit_code(self) -> int:
        """Exit code for continuous integration.

        1 if a metric regressed; 3 if nothing was comparable, a metric has no score any more, or cases got worse that
        are too few to show it; otherwise 0. With a margin, 0 if every metric is shown not to be worse by more than
        that, otherwise 3, or 1 if a metric regressed.
        """
        if self.not_worse and not self.unmeasured:
            return 0
        if self.regressed:
            return 1
        if self.not_worse is False:
            return 3
        return 3 if not self.measured or self.unmeasured or self.undecidable else 0

    @property
    def verdict(self) -> str:
        """The metrics that got better or worse, in one sentence."""
        return summary(self.metrics, self.unmeasured)


def compare(
    before: str | Path | Report,
    after: str | Path | Report,
    *,
    cluster: str | None = None,
    worth: float = WORTH,
    margin: float | None = None,
    store: bool | str | Path | None = None,
) -> RunComparison:
    """Compare two runs over the same cases.

    Args:
        before: the earlier run: a report, a `.json` or `.jsonl` file that `--output` wrote, or the id or name of a run
            in a store.
        after: the later run.
        cluster: metadata key by which the test cases are grouped; by default that of the runs.
        worth: the smallest change of a score worth knowing, in (0, 1]: the cases needed to show it are reported.
        margin: how much worse, in the units of a score, a metric may be and still count as not worse.
        store: the store of runs that are given by id or name; None for the file in the user's data folder.

    Raises:
        BadDataset: a file is missing, or no report.
        UsageError: there is no such run.
        BadOption: `worth` or `margin` is not a change of a score, or no case can be grouped.
        UnknownName: no case has that metadata key.
    """
    for name, change in (("margin", margin), ("worth", worth)):
        if change is not None and not 0 < change <= 1:
            raise BadOption(
                f"{name}={change!r} is not a change of a score: give a number above 0 and at most 1"
            )
    reports = load_report(before, store), load_report(after, store)
    return compare_scores(*map(RunScores.of, reports), cluster=cluster, worth=worth, margin=margin)


def compare_scores(
    before: RunScores,
    after: RunScores,
    *,
    cluster: str | None = None,
    worth: float = WORTH,
    margin: float | None = None,
) -> RunComparison:
    """Compare two runs whose scores were read; see `compare`.

    Raises:
        BadOption: no case can be grouped.
        UnknownName: no case has that metadata key.
    """
    matched = match_cases(before, after)
    old_places, new_places = np.array(matched.pairs, dtype=np.intp).reshape(-1, 2).T
    pairs = _PairedPlaces(old_places, new_places, _pair_groups(before, after, matched, cluster))
    paired, only_before, only_after = match_metrics(before.metrics, after.metrics)
    names = metric_names(after.metrics.values())
    changes = [_metric_change(before, after, pairs, specs, names=names, worth=worth) for specs in paired]
    metrics = correct_together(changes)
    application: tuple[QuantityChange, ...] = ()
    if None not in (before.report.run.plan.app, after.report.run.plan.app):
        old_cases, new_cases = before.cases(old_places.tolist()), after.cases(new_places.tolist())
        application = quantity_changes(old_cases, new_cases, pairs.groups)
    return RunComparison(
        before=before.report,
        after=after.report,
        metrics=metrics,
        cases=len(matched.pairs),
        by_question=matched.by_question,
        only_before=tuple(before.case_ids[place] for place in matched.only_before),
        only_after=tuple(after.case_ids[place] for place in matched.only_after),
        metrics_only_before=tuple(only_before),
        metrics_only_after=tuple(only_after),
        caveats=tuple(caveats(before.report, after.report, matched, metrics)),
        worth=worth,
        margin=margin,
        application=application,
        matched=MatchedRuns(matched, tuple(paired), before, after),
    )


def correct_together(changes: Sequence[MetricChange]) -> tuple[MetricChange, ...]:
    """Return changes with the p-values and intervals corrected for all of them together."""
    corrected = correct_for_multiple([change.comparison for change in changes])
    labels = iter(correct_labels([change.labels for change in changes if change.labels is not None]))
    return tuple(
        replace(change, comparison=each, labels=None if change.labels is None else next(labels))
        for change, each in zip(changes, corrected, strict=True)
    )


class _PairedPlaces(NamedTuple):
    """The places of the cases in common, before and after, and their groups."""

    before: NDArray[np.intp]
    after: NDArray[np.intp]
    groups: Sequence[Hashable] | None


def _pair_groups(
    before: RunScores, after: RunScores, matched: MatchedCases, key: str | None
) -> list[Hashable] | None:
    key = key or after.report.run.plan.cluster or before.report.run.plan.cluster
    if key is None:
        return None
    cases = after.cases(place for _, place in matched.pairs)
    bare = [number for number, case in enumerate(cases) if not case.metadata]
    for number, case in zip(bare, before.cases(matched.pairs[number][0] for number in bare), strict=True):
        cases[number] = case
    check_cluster(cases, key if cases else None)
    return clusters(cases, key)


def _metric_change(
    before: RunScores,
    after: RunScores,
    pairs: _PairedPlaces,
    specs: tuple[str, str],
    *,
    names: Mapping[str, str],
    worth: float,
) -> MetricChange:
    old, new = before.metrics[specs[0]], after.metrics[specs[1]]
    measured = ~np.isnan(old.lows[pairs.before]), ~np.isnan(new.lows[pairs.after])
    labelled = old.labelled[pairs.before], new.labelled[pairs.after]
    compared = measured[0] if bool((measured[0] & measured[1]).any()) else measured[0] & measured[1]
    comparison = compare_paired(
        _paired_scores(old, pairs.before[compared]),
        _paired_scores(new, pairs.after[compared]),
        metric=metric_name(new, names),
        higher_is_better=new.higher_is_better,
        clusters=None if pairs.groups is None else list(compress(pairs.groups, compared)),
        unpaired=int(np.count_nonzero(~compared)),
    )
    passed = old.passed[pairs.before], new.passed[pairs.after]
    may_pass = old.may_pass[pairs.before], new.may_pass[pairs.after]
    flipped = measured[0] & measured[1] & ((passed[0] & ~may_pass[1]) | (~may_pass[0] & passed[1]))
    was = old.scores[pairs.before][flipped]
    flips = Flips(after, specs[1], pairs.after[flipped], was, passed[0][flipped])
    return MetricChange(
        name=metric_name(new, names),
        comparison=comparison,
        flips=flips,
        thresholds=(old.threshold, new.threshold),
        lost=int(np.count_nonzero((measured[0] & ~measured[1]) | (labelled[0] & ~labelled[1]))),
        worth=worth,
        labels=_label_change(old, new, pairs),
    )


def _label_change(old: MetricScores, new: MetricScores, pairs: _PairedPlaces) -> LabelChange | None:
    """Return how the labels of a metric changed; a case that was not measured in the later run may have any."""
    if not old.categories or not new.categories:
        return None
    labelled = old.labelled[pairs.before], new.labelled[pairs.after]
    both = labelled[0] & labelled[1]
    compared = labelled[0] if bool(both.any()) else both
    return compare_labels(
        old.labels[pairs.before[compared]].tolist(),
        new.labels[pairs.after[compared]].tolist(),
        tuple(dict.fromkeys((*old.categories, *new.categories))),
        clusters=None if pairs.groups is None else list(compress(pairs.groups, compared)),
        unpaired=int(np.count_nonzero(~compared)),
    )


def _paired_scores(metric: MetricScores, places: NDArray[np.intp]) -> PairedScores:
    """Return the scores at some places; one that was not measured may be anything from 0 to 1."""
    lows, highs = metric.lows[places], metric.highs[places]
    passed, may_pass = metric.passed[places], metric.may_pass[places]
    lost = np.isnan(lows)
    bounds = np.where(lost, 0.0, lows), np.where(lost, 1.0, highs)
    sides = () if metric.threshold is None else (passed, may_pass | lost)
    return PairedScores(*bounds, *sides)
