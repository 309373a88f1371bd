"""Agreement of people with each other and with the judge on one run, as Cohen's kappa.

Agreement between people is the ceiling: no judge can be expected to agree with people better than they do.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ragstone.dashboard.views.verdicts import metric_verdicts
from ragstone.findings.view.metric_names import metric_name, metric_names
from ragstone.stats.estimate import Estimate, estimate
from ragstone.stats.kappa import cohen_kappa
from ragstone.store import CAUSE, Annotation, CaseQuery, Store, StoredRun, Target

_RESAMPLE_COUNT = 500
_MAX_CASES = 2_000
_VERDICT_CODES = {"yes": 1, "no": 0, "idk": 2}

Place = tuple[int, str, int]  # case, metric (empty for the whole case), claim (-1 for the whole)


@dataclass(frozen=True, slots=True)
class AgreementPair:
    """Agreement of two annotators, or of an annotator and the judge.

    Attributes:
        second: an annotator, or a metric of the judge.
        on: `cases` or `claims`.
        n: how many both judged; for cases, without those marked unsure.
        equal: how many of them have equal verdicts.
        kappa: Cohen's kappa with its 95 % interval; no value where chance explains everything or there is nothing.
    """

    first: str
    second: str
    judge: bool
    on: str
    n: int
    equal: int
    kappa: Estimate


@dataclass(frozen=True, slots=True)
class Agreement:
    """The figures of one run.

    Attributes:
        annotators: number of labelled cases and claims, by annotator.
    """

    annotators: dict[str, int]
    people: list[AgreementPair]
    judge: list[AgreementPair]


_Labels = Mapping[str, Mapping[Place, int]]  # codes of verdicts by person, or by metric


def agreement(store: Store, stored: StoredRun) -> Agreement:
    """Return the figures of a run as they are now; computed again only after a new annotation."""
    return _agreement(store, stored.run.id, store.change_marker(stored).of_annotations)


@lru_cache(maxsize=32)
def _agreement(store: Store, run: str, _state: object) -> Agreement:
    stored = store.find(run)
    annotations = [item for item in store.annotations.of(stored.number) if item.target != CAUSE]
    people: dict[str, dict[Place, int]] = {}
    for item in annotations:
        statement = -1 if item.target.statement is None else item.target.statement
        place = item.case_index, item.target.spec, statement
        people.setdefault(item.annotator, {})[place] = _VERDICT_CODES[item.verdict]
    names, judge = sorted(people), _judge_labels(store, stored, annotations)
    return Agreement(
        annotators={name: len(people[name]) for name in names},
        people=list(_pairs(people, people, combinations(names, 2), judge=False)),
        judge=list(_pairs(people, judge, ((name, metric) for metric in judge for name in names), judge=True)),
    )


def _pairs(
    firsts: _Labels, seconds: _Labels, names: Iterable[tuple[str, str]], *, judge: bool
) -> Iterator[AgreementPair]:
    unsure = _VERDICT_CODES["idk"]
    for first, second in names:
        one, other = firsts[first], seconds[second]
        common = [place for place in one if place in other]
        cases = [place for place in common if place[2] < 0 and unsure not in (one[place], other[place])]
        for on, places in (("cases", cases), ("claims", [place for place in common if place[2] >= 0])):
            if not places:
                continue
            columns = [np.array([labels[place] for place in places]) for labels in (one, other)]
            yield AgreementPair(
                first=first,
                second=second,
                judge=judge,
                on=on,
                n=len(places),
                equal=int(np.count_nonzero(columns[0] == columns[1])),
                kappa=estimate(_kappa, *columns, resamples=_RESAMPLE_COUNT),
            )


def _kappa(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    return cohen_kappa(first.tolist(), second.tolist())


def _judge_labels(
    store: Store, stored: StoredRun, annotations: Sequence[Annotation]
) -> dict[str, dict[Place, int]]:
    """Return the judge's verdicts by metric, on the cases and claims that people judged."""
    labels: dict[str, dict[Place, int]] = {}
    claim_cases = sorted({item.case_index for item in annotations if item.target.statement is not None})
    if any(item.target == Target() for item in annotations):
        _add_case_labels(store, stored, labels)
    for index in claim_cases[:_MAX_CASES]:
        case = store.case(stored, index)
        results = list(case.results.values())
        names = metric_names(results)
        for judged in metric_verdicts(case.case, results):
            result = next(item for item in results if item.spec == judged.spec)
            for claim in (item for item in judged.claims if item.verdict in _VERDICT_CODES):
                place = index, judged.spec, claim.number - 1
                labels.setdefault(metric_name(result, names), {})[place] = _VERDICT_CODES[claim.verdict]
    return labels


def _add_case_labels(store: Store, stored: StoredRun, labels: dict[str, dict[Place, int]]) -> None:
    metrics = store.line(stored).metrics
    labels_by_spec = metric_names(metrics)
    names = {line.metric_index: metric_name(line, labels_by_spec) for line in metrics}
    for line in store.table(stored).page(CaseQuery(annotated=True, limit=_MAX_CASES)).lines:
        for cell in line.cells.values():
            if cell.score is not None:
                place = line.case_index, "", -1
                labels.setdefault(names[cell.metric_index], {})[place] = int(cell.status == "passed")
