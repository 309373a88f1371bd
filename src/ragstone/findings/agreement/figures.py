"""The figures of an agreement in reading order, shared by all renderings."""

from collections.abc import Iterator
from typing import NamedTuple

from ragstone.findings.agreement.human_labels import HumanLabels
from ragstone.findings.agreement.model import AgreementReport, MetricAgreement
from ragstone.findings.numbers import count
from ragstone.stats.estimate import Estimate

_MIN_LABELS = 30


class AgreementFigure(NamedTuple):
    """One figure: its name, its value for the judge, and its value for one person against the others."""

    name: str
    judge: Estimate
    person: Estimate | None = None


def figures(metric: MetricAgreement) -> Iterator[AgreementFigure]:
    """Yield the figures of a metric."""
    decisions, labels, grades, pairs = metric.decisions, metric.labels, metric.correlations, metric.pairs
    if decisions:
        person = decisions.ceiling.human if decisions.ceiling else None
        yield AgreementFigure("accuracy", decisions.accuracy)
        yield AgreementFigure("balanced accuracy", decisions.balanced_accuracy)
        yield AgreementFigure("Cohen's kappa", decisions.kappa, person)
    if labels:
        yield AgreementFigure("accuracy", labels.accuracy)
        yield AgreementFigure("Cohen's kappa", labels.kappa)
        yield AgreementFigure("Krippendorff's alpha", labels.alpha)
    if metric.alpha:
        yield AgreementFigure("Krippendorff's alpha", metric.alpha)
    if decisions:
        yield AgreementFigure("AUROC", decisions.auroc)
        yield AgreementFigure("average precision", decisions.average_precision)
    if pairs:
        yield AgreementFigure("prefers the same answer", pairs.accuracy)
    if found := grades or pairs:
        human = found.ceiling.human if found.ceiling else None
        yield AgreementFigure("Pearson's r", found.pearson, human if pairs else None)
        yield AgreementFigure("Spearman's rho", found.spearman, human if grades else None)
        yield AgreementFigure("Kendall's tau-b", found.kendall)
    if decisions:
        yield AgreementFigure("Brier score (0 is best)", decisions.brier)
        yield AgreementFigure("calibration error, ECE (0 is best)", decisions.calibration_error)


def people_figures(found: AgreementReport) -> Iterator[AgreementFigure]:
    """Yield the figures on the agreement of people with each other."""
    if found.people:
        yield AgreementFigure("Krippendorff's alpha", found.people.alpha)
        if found.people.fleiss:
            yield AgreementFigure("Fleiss' kappa", found.people.fleiss)


def format_estimate(estimate: Estimate | None) -> str:
    """Return a figure with its interval; empty for None."""
    if estimate is None:
        return ""
    if estimate.value is None:
        return "undefined"
    if estimate.interval is None:
        return f"{estimate.value:.2f}"
    if estimate.interval.too_few:
        return f"{estimate.value:.2f} (too few to say)"
    return f"{estimate.value:.2f} ({estimate.interval})"


def label_summary(labels: HumanLabels) -> str:
    """Return the number, field and kind of the labels in words."""
    labelled = sum(value is not None for value in labels.values)
    if labels.kind == "pairs":
        return f"{count(labelled // 2, 'labelled pair')} in {labels.field!r}"
    kind = f"grades from {labels.scale[0]:g} to {labels.scale[1]:g}"
    if labels.kind in ("yes or no", "labels"):
        kind = "yes or no" if labels.kind == "yes or no" else ", ".join(labels.categories)
    unlabelled = len(labels.values) - labelled
    rest = f", {unlabelled:,} without" if unlabelled else ""
    return f"{count(labelled, 'label')} in {labels.field!r} ({kind}){rest}"


def sentences(metric: MetricAgreement) -> Iterator[str]:
    """Yield conclusions from the figures: warnings, a fitted threshold, a corrected mean."""
    if metric.n == 0 and metric.narrowed is None:
        yield "no labelled case was measured"
        return
    if metric.turned:
        yield "lower is better: 1 - score is compared with the labels"
    if 0 < metric.n < _MIN_LABELS:
        yield f"only {count(metric.n, 'label')}: a few dozen are needed for a conclusion"
    if metric.unmeasured:
        yield f"{count(metric.unmeasured, 'labelled case')} not measured, in none of the figures"
    if metric.undecided:
        yield f"{count(metric.undecided, 'labelled case')} undecided, in none of the figures on agreement"
    if metric.narrowed:
        found = metric.narrowed
        checked = f"people checked {found.checked:,} of {count(found.bounds.undecided, 'undecided case')}"
        yield f"{checked}: the mean is {found.value:.2f} ({found.interval}); without them {found.bounds}"
    if (now := metric.decisions) and (fitted := metric.threshold):
        yield (
            f"a threshold of {fitted.value:.2f} fits best: balanced accuracy {format_estimate(fitted.expected)} on "
            f"unseen cases; {format_estimate(now.balanced_accuracy)} at the current {now.threshold:.2f}"
        )
    if metric.corrected:
        mean = metric.corrected
        labels = f"{count(mean.labelled, 'label')} correct {count(mean.unlabelled, 'case')} without one"
        worth = f"as good as {mean.labelled * mean.labels_worth:,.0f} labels alone"
        yield f"{mean.sentence()}: {labels} (PPI++, {worth})"
