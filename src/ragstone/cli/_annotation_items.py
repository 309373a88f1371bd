"""The items of an annotation session, in order: test cases, results of a metric, or its claims."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from ragstone.errors import UnknownName
from ragstone.findings import Report
from ragstone.findings.agreement.annotations import with_annotations
from ragstone.findings.stored import report_from_store
from ragstone.findings.view.findings import all_findings
from ragstone.metric_label import base_name
from ragstone.store import CaseQuery, Store, StoredCase, StoredRun, Target

_PAGE_SIZE = 500


@dataclass(frozen=True, slots=True)
class AnnotationItem:
    """One item to annotate with yes or no."""

    case_index: int
    target: Target
    claim: str = ""


def undecided_items(
    store: Store, stored: StoredRun, metric: str, every_item: Iterable[AnnotationItem]
) -> list[AnnotationItem]:
    """Return the results of a metric of which a part is undecided, in an order that is random but fixed for a run.

    Whoever stops after some of them has annotated a random sample, and several people the same one.
    """
    items = [
        item
        for item in every_item
        if any(
            result.spec == metric and result.low != result.high
            for result in store.case(stored, item.case_index).results.values()
        )
    ]
    Random(f"{stored.run.id} {metric}").shuffle(items)  # noqa: S311  (a sample, no secret)
    return items


def annotation_items(
    store: Store, stored: StoredRun, metric: str, *, claims: bool
) -> Iterator[AnnotationItem]:
    """Yield the items of a run, in the order of its dataset."""
    table, offset = store.table(stored), 0
    while lines := table.page(CaseQuery(limit=_PAGE_SIZE, offset=offset)).lines:
        offset += _PAGE_SIZE
        for line in lines:
            if claims:
                yield from _claims(store.case(stored, line.case_index), metric)
            else:
                yield AnnotationItem(line.case_index, Target(metric))


def _claims(stored_case: StoredCase, metric: str) -> Iterator[AnnotationItem]:
    for result in stored_case.results.values():
        if result.spec == metric:
            for number, finding in enumerate(all_findings(stored_case.case, result)):
                if finding.statement is not None:
                    yield AnnotationItem(stored_case.case_index, Target(metric, number), finding.statement)


def find_spec(stored: StoredRun, wanted: str) -> str:
    """Return the spec of the run's metric that has the spec or name `wanted`."""
    specs = stored.run.plan.metrics
    spec = next((spec for spec in specs if wanted in {spec, base_name(spec)}), None)
    if spec is None:
        raise UnknownName("metric in that run", wanted, specs)
    return spec


def annotated_report(store: Store, run: str, metric: str) -> tuple[Report, int, str]:
    """Return the report of a run with people's annotations as labels, its number of cases, and the metric's spec."""
    stored = store.find(run)
    spec = find_spec(stored, metric) if metric else ""
    places = store.cases(stored).places()
    annotations = store.annotations.of(stored.number)
    return with_annotations(report_from_store(store, stored), annotations, places, spec), len(places), spec
