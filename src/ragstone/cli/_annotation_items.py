"""The items of an annotation session, in order: test cases, results of a metric, or its claims."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from ragstone.findings.view.findings import all_findings
from ragstone.metric_label import base_name
from ragstone.store import CaseQuery, Store, StoredCase, StoredRun, Target

_PAGE_SIZE = 500


@dataclass(frozen=True, slots=True)
class AnnotationItem:
    """One item to annotate with yes or no.

    Attributes:
        case_index: index of the test case.
        target: the case, result or claim to annotate.
        claim: text of the claim; empty for a whole case or result.
    """

    case_index: int
    target: Target
    claim: str = ""


def undecided_items(store: Store, stored: StoredRun, metric: str) -> list[AnnotationItem]:
    """Return the results of a metric of which a part is undecided, in an order that is random but fixed for a run.

    Whoever stops after some of them has annotated a random sample, and several people the same one.
    """
    items = [
        item
        for item in annotation_items(store, stored, metric, claims=False)
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


def find_spec(stored: StoredRun, wanted: str) -> str | None:
    """Return the spec of the run's metric that has the spec or name `wanted`; None if there is none."""
    specs = stored.run.plan.metrics
    named = [spec for spec in specs if spec == wanted or base_name(spec) == wanted]
    return named[0] if named else None
