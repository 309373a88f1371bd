"""Values of the annotation page: the order of the cases, the next case, the last verdict, and progress.

The order is random by default: a random sample represents the whole run, so agreement figures hold for all of it. It is
the same for everybody, so that two people label the same cases early. *Worst first* and *where judge and people differ*
find errors sooner, but figures from them are biased towards those cases.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Literal, NamedTuple

from ragstone.dashboard.views.case_annotations import WHOLE, assessments, claims_of, labelled_claims
from ragstone.dashboard.views.texts import HighlightedText, plain, statements
from ragstone.dashboard.views.verdicts import MetricVerdicts
from ragstone.errors import UsageError
from ragstone.store import Annotation, CaseQuery, Store, StoredCase, StoredRun

_MAX_PASSAGES = 30
_MAX_SKIPPED_CASES = 200  # cases without a claim that are skipped before the queue counts as empty

QueueOrder = Literal["random", "worst", "differ"]
ORDERS: dict[QueueOrder, tuple[str, str]] = {
    "random": (
        "random sample",
        "A random order, the same for everybody: figures hold for the whole run, and two people soon share cases.",
    ),
    "worst": (
        "worst first",
        "The judge's lowest scores first: faults are found soon, but agreement figures hold only for the worst cases.",
    ),
    "differ": (
        "where judge and people differ",
        "Cases where another person disagreed with the judge, for a second look; figures from them are biased.",
    ),
}


class AnnotateQuery(NamedTuple):
    """The query of the page.

    Cases up to the place `after` of the order were skipped; `again` is a case to judge again, `last` the one that was
    judged just now; -1 for none.
    """

    of: Literal["cases", "claims"]
    order: QueueOrder
    after: int
    again: int
    last: int


class QueuedCase(NamedTuple):
    """A case to annotate, at its place in the order.

    `judged` has the claims to judge; None where the case is judged as a whole. `verdicts_given` are the annotator's
    own by number of the claim, from 0; -1 for the whole case. The answer's claims have no colour of a verdict.
    """

    found: StoredCase
    place: int
    judged: MetricVerdicts | None
    verdicts_given: dict[int, Annotation]
    current: int
    question: HighlightedText
    answer: HighlightedText | None
    passages: list[HighlightedText]
    expected: HighlightedText | None


class AnnotationSession(NamedTuple):
    """The annotator, the run and the query of a request."""

    store: Store
    stored: StoredRun
    person: str
    query: AnnotateQuery

    def case(self, index: int) -> StoredCase | None:
        """Return a case of the run; None where there is none."""
        try:
            return self.store.case(self.stored, index) if index >= 0 else None
        except UsageError:
            return None


def annotation_view(session: AnnotationSession) -> dict[str, Any]:
    """Return the values of the template: after the verdict on a case also those of judge and others on it."""
    query, last = session.query, session.case(session.query.last)
    order = case_order(session.store, session.stored, query.order, session.person)
    done = _finished_cases(session)
    own = [
        item
        for item in (last.annotations if last else ())
        if item.annotator == session.person and (item.target.statement is not None) == (query.of == "claims")
    ]
    judged = claims_of(last) if last and query.of == "claims" else None
    return {
        "item": _next_case(session, order, done),
        "total": len(order),
        "done": len(done.intersection(order)),
        "last": last if own else None,
        "last_said": own,
        "revealed": assessments(last, session.person, judged) if last and own else [],
    }


def _next_case(session: AnnotationSession, order: Sequence[int], done: frozenset[int]) -> QueuedCase | None:
    query = session.query
    if query.again >= 0:
        place = order.index(query.again) if query.again in order else query.after
        return _queued_case(session, query.again, place)
    for skipped, place in enumerate(open_places(order, done, query.after)):
        item = _queued_case(session, order[place], place)
        if item is not None or skipped >= _MAX_SKIPPED_CASES:
            return item
    return None


def _queued_case(session: AnnotationSession, index: int, place: int) -> QueuedCase | None:
    """Return a case to annotate; None where there is none, or it has no claim to judge."""
    found = session.case(index)
    judged = claims_of(found) if found and session.query.of == "claims" else None
    if found is None or (session.query.of == "claims" and judged is None):
        return None
    case, own = found.case, [item for item in found.annotations if item.annotator == session.person]
    whole = {-1: item for item in own if item.target == WHOLE}  # noqa: B035  (there is one at most)
    given = labelled_claims(own, judged.spec) if judged else whole
    return QueuedCase(
        found,
        place,
        judged,
        given,
        next((number for number in range(len(judged.claims)) if number not in given), 0) if judged else 0,
        plain(case.input),
        statements(case.actual_output, judged, "c") if case.actual_output else None,
        [plain(text) for text in (case.retrieval_context or case.context or ())[:_MAX_PASSAGES]],
        plain(case.expected_output) if case.expected_output else None,
    )


def _finished_cases(session: AnnotationSession) -> frozenset[int]:
    """Return the cases that this person has finished; for claims, the cases whose claims are all judged."""
    store, stored = session.store, session.stored
    given: dict[int, list[Annotation]] = {}
    for item in store.annotations.of(stored.number, None, session.person):
        given.setdefault(item.case_index, []).append(item)
    if session.query.of == "cases":
        return frozenset(
            index for index, items in given.items() if any(item.target == WHOLE for item in items)
        )
    serial, finished = store.change_marker(stored).serial, set[int]()
    for index, items in given.items():
        if any(item.target.statement is not None for item in items):
            claims = _claims(store, stored.run.id, index, serial)
            if claims and len(labelled_claims(items, claims[0])) >= claims[1]:
                finished.add(index)
    return frozenset(finished)


@lru_cache(maxsize=20_000)
def _claims(store: Store, run: str, index: int, _serial: int) -> tuple[str, int] | None:
    """Return spec and number of the claims of a case; None if it was deleted. Cached until the run changes."""
    try:
        judged = claims_of(store.case(store.find(run), index))
    except UsageError:
        return None
    return (judged.spec, len(judged.claims)) if judged else ("", 0)


def case_order(store: Store, stored: StoredRun, order: QueueOrder, person: str) -> Sequence[int]:
    """Return the places of a run's cases in the order in which they are labelled."""
    table = store.table(stored)
    if order == "worst":
        return table.indices(CaseQuery(sort="worst"))
    if order == "differ":
        return sorted(_disputed_cases(store, stored, person))
    return _shuffled(stored.run.id, tuple(table.indices(CaseQuery())))


def open_places(order: Sequence[int], done: frozenset[int], after: int = -1) -> Iterator[int]:
    """Yield the places in the order of cases that are not done: from behind `after` on, then those before, skipped."""
    for place in (*range(after + 1, len(order)), *range(min(after + 1, len(order)))):
        if order[place] not in done:
            yield place


@lru_cache(maxsize=16)
def _shuffled(run: str, indices: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(Random(run).sample(indices, len(indices)))  # noqa: S311  (a sample, no secret)


def _disputed_cases(store: Store, stored: StoredRun, person: str) -> set[int]:
    """Return the cases on which another person's verdict differs from the judge's."""
    said = {
        (item.case_index, item.verdict == "yes")
        for item in store.annotations.of(stored.number)
        if item.annotator != person and item.target == WHOLE and item.verdict != "idk"
    }
    lines = store.table(stored).page(CaseQuery(annotated=True, limit=None)).lines if said else ()
    is_good = {line.case_index: line.missed == 0 for line in lines if line.passed or line.missed}
    return {index for index, good in said if is_good.get(index, good) != good}
