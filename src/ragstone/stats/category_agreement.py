"""Agreement of a judge's labels with people's, where there are more of them than yes and no."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np

from ragstone.stats._arrays import FloatArray
from ragstone.stats._checks import check_categories, same_length
from ragstone.stats.ceiling import RESAMPLES
from ragstone.stats.estimate import Estimate, estimate
from ragstone.stats.interval import clustered_rate_interval
from ragstone.stats.kappa import cohen_kappa, krippendorff_alpha


@dataclass(frozen=True, slots=True)
class CategoryScore:
    """One label.

    Attributes:
        label: The label.
        people: Cases to which people gave it.
        judge: Cases to which the judge gave it.
        precision: Share of the judge's that are people's too; undefined where the judge never gave it.
        recall: Share of people's that are the judge's too; undefined where people never gave it.
    """

    label: str
    people: int
    judge: int
    precision: Estimate
    recall: Estimate


@dataclass(frozen=True, slots=True)
class CategoryAgreement:
    """A judge's labels compared with people's; every estimate has an interval of its own.

    Attributes:
        n: Cases.
        categories: All labels, in the metric's order.
        table: Number of cases of each label by people (rows) and by the judge (columns).
        accuracy: Share of equal labels.
        kappa: Cohen's.
        alpha: Krippendorff's, nominal.
        labels: Each label.
    """

    n: int
    categories: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    accuracy: Estimate
    kappa: Estimate
    alpha: Estimate
    labels: tuple[CategoryScore, ...]


def agree_on_categories(
    people: Sequence[str],
    judge: Sequence[str],
    categories: Sequence[str],
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> CategoryAgreement:
    """Compare a judge's labels with people's, entry i of each being the same case.

    Args:
        people: People's label of each case.
        judge: The judge's.
        categories: All labels.
        clusters: For each case the group it belongs to.
        level: Nominal coverage of each interval.
        seed: For the bootstrap of kappa and alpha.
        resamples: Bootstrap resamples.

    Raises:
        ValueError: Lengths differ, or a label is not a category.
    """
    same_length(people=people, judge=judge)
    check_categories([*people, *judge], categories)
    counts = Counter(zip(people, judge, strict=True))
    places = {label: float(place) for place, label in enumerate(categories)}
    columns = [np.array([places[label] for label in labels]) for labels in (people, judge)]
    options: dict[str, Any] = {"clusters": clusters, "level": level, "seed": seed, "resamples": resamples}
    right = [first == second for first, second in zip(people, judge, strict=True)]
    return CategoryAgreement(
        n=len(people),
        categories=tuple(categories),
        table=tuple(tuple(counts[row, column] for column in categories) for row in categories),
        accuracy=_rate(right, range(len(right)), clusters, level),
        kappa=estimate(_kappa, *columns, **options),
        alpha=estimate(_alpha, *columns, **options),
        labels=tuple(_score(label, people, judge, clusters, level) for label in categories),
    )


def _score(
    label: str, people: Sequence[str], judge: Sequence[str], clusters: Sequence[Hashable] | None, level: float
) -> CategoryScore:
    said = [place for place, given in enumerate(judge) if given == label]
    true = [place for place, given in enumerate(people) if given == label]
    return CategoryScore(
        label,
        len(true),
        len(said),
        precision=_rate([given == label for given in people], said, clusters, level),
        recall=_rate([given == label for given in judge], true, clusters, level),
    )


def _rate(
    events: Sequence[bool], places: Sequence[int], clusters: Sequence[Hashable] | None, level: float
) -> Estimate:
    """Return the share of events at some places."""
    if not places:
        return Estimate(None, None)
    chosen = [events[place] for place in places]
    groups = None if clusters is None else [clusters[place] for place in places]
    return Estimate(sum(chosen) / len(chosen), clustered_rate_interval(chosen, groups, level=level))


def _kappa(people: FloatArray, judge: FloatArray) -> float:
    return cohen_kappa(people.tolist(), judge.tolist()) if people.size else nan


def _alpha(people: FloatArray, judge: FloatArray) -> float:
    return krippendorff_alpha(np.column_stack([people, judge]).tolist(), "nominal")
