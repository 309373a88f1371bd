"""Agreement of each metric's scores with human labels, the worst disagreements, and the corrected mean.

Scores of metrics where lower is better are inverted first (1 - score), so that 1 is good for scores and for labels.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ragstone.findings.agreement.disagreements import (
    Disagreement,
    disagreement,
    pair_agreement,
    worst_disagreements,
)
from ragstone.findings.agreement.human_labels import (
    LABEL,
    AnnotatorAgreement,
    FloatArray,
    HumanLabels,
    Ratings,
    alpha_of_two,
    annotator_agreement,
    read_labels,
)
from ragstone.findings.clusters import clusters
from ragstone.findings.registry import Renderable
from ragstone.findings.report import Report
from ragstone.result import Result
from ragstone.stats.agreement import GradeAgreement, LabelAgreement, agree_on_grades, agree_on_labels
from ragstone.stats.bounded import NarrowedMean, narrowed_mean
from ragstone.stats.calibrate import Threshold, fit_threshold
from ragstone.stats.category_agreement import CategoryAgreement, agree_on_categories
from ragstone.stats.estimate import Estimate, estimate
from ragstone.stats.pairwise import PairwiseAgreement
from ragstone.stats.ppi import CorrectedMean, ppi_mean

WORST = 5
_MIN_LABELS = 2
_RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class MetricAgreement:
    """Agreement of one metric with human labels.

    Attributes:
        name: display name of the metric.
        n: cases, or pairs, with a label and a score.
        unmeasured: labelled cases that were not measured, or were skipped.
        undecided: labelled cases in which the judge decided nothing, or, for labels of yes or no, not whether the
            score passes; they are in none of the figures either.
        turned: whether scores were inverted, since lower is better.
        decisions: agreement with labels of yes or no.
        correlations: correlations of scores with labels; None for pairs.
        alpha: Krippendorff's alpha of judge and label, on decisions for yes or no, on scores for grades.
        pairs: agreement with preferences over pairs.
        threshold: a threshold fitted to the labels, with its expected balanced accuracy.
        corrected: the judge's mean, corrected by the labels, where some cases have none.
        narrowed: the range of the mean that undecided cases leave, narrowed by those of them that have a label.
        worst: disagreements, the worst first.
        labels: agreement with labels by name.
    """

    name: str
    n: int
    unmeasured: int
    undecided: int
    turned: bool
    decisions: LabelAgreement | None = None
    correlations: GradeAgreement | None = None
    alpha: Estimate | None = None
    pairs: PairwiseAgreement | None = None
    threshold: Threshold | None = None
    corrected: CorrectedMean | None = None
    narrowed: NarrowedMean | None = None
    worst: tuple[Disagreement, ...] = ()
    labels: CategoryAgreement | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class AgreementReport(Renderable):
    """Agreement of a judge with human labels.

    Attributes:
        report: the run.
        labels: the human labels.
        metrics: the agreement of each metric with them.
        people: agreement of people with each other, where several labelled the same cases.
    """

    subject: ClassVar = "agreement"

    report: Report
    labels: HumanLabels
    metrics: tuple[MetricAgreement, ...]
    people: AnnotatorAgreement | None

    def __repr__(self) -> str:
        labelled = sum(value is not None for value in self.labels.values)
        return f"<AgreementReport of {self.report.run.plan.judge}: {labelled} labels, {len(self.metrics)} metrics>"

    @property
    def exit_code(self) -> int:
        """3 if a labelled case was not measured, none decided, a row not read or the run is incomplete, otherwise 0."""
        failed = any(metric.unmeasured or not (metric.n or metric.narrowed) for metric in self.metrics)
        return 3 if failed or self.report.rejected or not self.report.complete else 0


def agreement(report: Report, *, label: str = LABEL, worst: int = WORST) -> AgreementReport:
    """Compare the scores of a run with the human labels in the metadata of its test cases.

    Args:
        report: the run.
        label: the metadata field of the labels; may be a dotted path, such as `labels.overall`.
        worst: how many of the worst disagreements to keep for each metric.

    Raises:
        UsageError: there is no label, or one that cannot be read.
    """
    rows_by_metric = report.places()
    categories = dict.fromkeys(name for rows in rows_by_metric.values() for name in _categories(rows))
    labels = read_labels(report.cases, label, tuple(categories))
    groups = clusters(report.cases, report.run.plan.cluster)
    measure = _named_agreement if labels.kind == "labels" else _metric_agreement
    metrics = tuple(
        measure(report, labels, name, rows, groups, worst)
        for name, rows in rows_by_metric.items()
        if labels.kind != "labels" or _categories(rows)
    )
    scale = "nominal" if labels.kind in ("yes or no", "labels") else "interval"
    annotators = [
        None if labels.kind == "pairs" and case.metadata.get("side") != "text" else row
        for case, row in zip(report.cases, labels.annotators, strict=True)
    ]
    people = annotator_agreement(annotators, scale, groups)
    return AgreementReport(report=report, labels=labels, metrics=metrics, people=people)


def _categories(rows: Mapping[int, Result]) -> tuple[str, ...]:
    return next((result.categories for result in rows.values() if result.categories), ())


def _named_agreement(  # noqa: PLR0917  (as `_metric_agreement`)
    report: Report,
    labels: HumanLabels,
    name: str,
    rows: Mapping[int, Result],
    groups: Sequence[Hashable] | None,
    worst: int,
) -> MetricAgreement:
    labelled = [place for place, value in enumerate(labels.values) if value is not None]
    found = [(place, rows[place]) for place in labelled if place in rows and rows[place].label is not None]
    undecided = sum(place in rows and rows[place].status == "undecided" for place in labelled)
    unmeasured = len(labelled) - len(found) - undecided
    if not found:
        return MetricAgreement(name, 0, unmeasured, undecided, turned=False)
    people = [str(labels.name(place)) for place, _ in found]
    judge = [str(result.label) for _, result in found]
    agreed = agree_on_categories(
        people,
        judge,
        tuple(dict.fromkeys((*_categories(rows), *people))),
        clusters=None if groups is None else [groups[place] for place, _ in found],
        resamples=_RESAMPLES,
    )
    wrong = [
        replace(
            disagreement(report.cases[place], result, place, 0.0, 0.0), people_label=said, judge_label=given
        )
        for (place, result), said, given in zip(found, people, judge, strict=True)
        if said != given
    ]
    return MetricAgreement(
        name, len(found), unmeasured, undecided, turned=False, labels=agreed, worst=tuple(wrong[:worst])
    )


@dataclass(frozen=True, slots=True)
class _LabelledScores:
    """Labels and scores of the cases that have both, and scores of those that have no label."""

    places: tuple[int, ...]
    truth: FloatArray
    scores_given: FloatArray
    unlabelled: FloatArray
    annotators: tuple[Ratings | None, ...]
    groups: list[Hashable] | None


def _metric_agreement(  # noqa: PLR0917  (a step of `agreement`, named to be read by itself)
    report: Report,
    labels: HumanLabels,
    name: str,
    rows: dict[int, Result],
    groups: Sequence[Hashable] | None,
    worst: int,
) -> MetricAgreement:
    first = next(iter(rows.values()))
    turned = not first.higher_is_better
    scores = {
        place: 1.0 - result.score if turned else result.score
        for place, result in rows.items()
        if result.score is not None and not (labels.kind == "yes or no" and result.status == "undecided")
    }
    labelled = [place for place, value in enumerate(labels.values) if value is not None]
    without = [rows.get(place) for place in labelled if place not in scores]
    undecided = sum(result is not None and result.status == "undecided" for result in without)
    unmeasured = len(without) - undecided
    if labels.kind == "pairs":
        pairs, missed = pair_agreement(report, labels, scores, rows, worst)
        return MetricAgreement(
            name, pairs.n if pairs else 0, unmeasured, undecided, turned, pairs=pairs, worst=missed
        )
    judged = _labelled_scores(labels, scores, groups)
    narrowed = _narrowed(labels, rows, groups, turned=turned)
    if not judged.places:
        return MetricAgreement(name, 0, unmeasured, undecided, turned, narrowed=narrowed)
    threshold = 1.0 - first.cutoff if turned else first.cutoff
    decisions = fitted = None
    if labels.kind == "yes or no":
        binary = [tuple(v if v in (0.0, 1.0) else None for v in row or ()) for row in judged.annotators]
        decisions = agree_on_labels(
            judged.truth,
            judged.scores_given,
            threshold=threshold,
            annotators=binary if any(judged.annotators) else None,
            clusters=judged.groups,
        )
        yes = int(judged.truth.sum())
        if min(yes, judged.truth.size - yes) >= _MIN_LABELS:
            fitted = fit_threshold(judged.truth, judged.scores_given, clusters=judged.groups)
    low, high = labels.scale  # people who use other grades are left out
    ratings = [
        tuple(v if v is not None and low <= v <= high else None for v in row or ())
        for row in judged.annotators
    ]
    unit = np.array([labels.unit(value) for value in judged.truth])
    given = judged.scores_given
    compared = (given >= threshold - 1e-9).astype(np.float64) if decisions else given
    return MetricAgreement(
        name,
        len(judged.places),
        unmeasured,
        undecided,
        turned,
        decisions=decisions,
        correlations=agree_on_grades(
            judged.truth,
            judged.scores_given,
            annotators=ratings if any(judged.annotators) else None,
            clusters=judged.groups,
        ),
        alpha=estimate(alpha_of_two, unit, compared, clusters=judged.groups, resamples=_RESAMPLES),
        threshold=fitted,
        corrected=(
            ppi_mean(unit, judged.scores_given, judged.unlabelled)
            if unit.size >= _MIN_LABELS and judged.unlabelled.size
            else None
        ),
        narrowed=narrowed,
        worst=worst_disagreements(
            report, rows, judged.places, unit, judged.scores_given, threshold if decisions else None, worst
        ),
    )


def _labelled_scores(
    labels: HumanLabels, scores: dict[int, float], groups: Sequence[Hashable] | None
) -> _LabelledScores:
    valued = (place for place, value in enumerate(labels.values) if value is not None)
    places = tuple(place for place in valued if place in scores)
    unlabelled = [score for place, score in scores.items() if labels.values[place] is None]
    return _LabelledScores(
        places=places,
        truth=np.array([labels.values[place] for place in places], dtype=np.float64),
        scores_given=np.array([scores[place] for place in places], dtype=np.float64),
        unlabelled=np.array(unlabelled, dtype=np.float64),
        annotators=tuple(labels.annotators[place] for place in places),
        groups=None if groups is None else [groups[place] for place in places],
    )


def _narrowed(
    labels: HumanLabels, rows: dict[int, Result], groups: Sequence[Hashable] | None, *, turned: bool
) -> NarrowedMean | None:
    """Return the mean with the labels of undecided cases; None without two of them.

    A case that was not measured is between 0 and 1. A label beyond a case's bounds counts as the nearer bound.
    """
    bounds = {
        place: (0.0, 1.0) if result.low is None or result.high is None else (result.low, result.high)
        for place, result in rows.items()
        if result.status != "skipped"
    }
    if turned:
        bounds = {place: (1.0 - high, 1.0 - low) for place, (low, high) in bounds.items()}
    truths = [
        None if (value := labels.values[place]) is None else min(high, max(low, labels.unit(value)))
        for place, (low, high) in bounds.items()
    ]
    clusters_of = None if groups is None else [groups[place] for place in bounds]
    lows, highs = zip(*bounds.values(), strict=True) if bounds else ((), ())
    found = narrowed_mean(lows, highs, truths, clusters_of) if bounds else None
    return found if found and found.value is not None else None
