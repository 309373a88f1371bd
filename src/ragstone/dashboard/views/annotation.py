"""View model of the annotation page: the next case, the last verdict, and progress."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from ragstone.dashboard.views.annotation_queue import QueueOrder, case_order, open_places
from ragstone.dashboard.views.case_annotations import WHOLE, assessments, claims_of, labelled_claims
from ragstone.dashboard.views.highlighting import HighlightedText, plain, statements
from ragstone.dashboard.views.verdicts import MetricVerdicts
from ragstone.errors import UsageError
from ragstone.store import Annotation, Store, StoredCase, StoredRun

_MAX_PASSAGES = 30
_WHOLE_CASE = -1
_MAX_SKIPPED_CASES = 200
"""Cases without a claim that are skipped before the queue counts as empty."""


class AnnotateQuery(NamedTuple):
    """The query parameters of the page.

    Attributes:
        of: whether cases or their claims are judged.
        order: the order of the queue.
        after: place in the order after which to look; earlier cases were skipped.
        again: one case to judge again; -1 for the next.
        last: the case that was judged just now; -1 for none.
    """

    of: Literal["cases", "claims"]
    order: QueueOrder
    after: int
    again: int
    last: int


class QueuedCase(NamedTuple):
    """A case to annotate.

    Attributes:
        found: the case.
        place: its place in the order, after which to look when it is skipped.
        judged: the claims to judge; None where the case is judged as a whole.
        verdicts_given: the annotator's own verdicts by the number of their claim, from 0; -1 for the whole case.
        current: the claim to judge now.
        question: its text.
        answer: its text with the claims marked, without a colour since they have no verdict yet.
        passages: the texts to judge it by.
        expected: the expected output to judge it by.
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

    @property
    def verdicts_given(self) -> list[Annotation]:
        """The annotations of this person in this run."""
        return self.store.annotations.of(self.stored.number, None, self.person)

    def case(self, index: int) -> StoredCase | None:
        """Return a case of the run; None where there is none."""
        try:
            return self.store.case(self.stored, index) if index >= 0 else None
        except UsageError:
            return None


def annotation_view(session: AnnotationSession) -> dict[str, Any]:
    """Return the values of the template."""
    order = case_order(session.store, session.stored, session.query.order, session.person)
    done = _finished_cases(session)
    return {
        "item": _next_case(session, order, done),
        "total": len(order),
        "done": len(done.intersection(order)),
        **_last_verdict(session, session.case(session.query.last)),
    }


def _last_verdict(session: AnnotationSession, last: StoredCase | None) -> dict[str, Any]:
    """Return this person's annotations of the last case and, if there are any, the verdicts of judge and others."""
    own = (
        [
            item
            for item in last.annotations
            if item.annotator == session.person and _matches_query(item, session.query)
        ]
        if last
        else []
    )
    if last is None or not own:
        return {"last": None, "last_said": [], "revealed": []}
    judged = claims_of(last) if session.query.of == "claims" else None
    return {"last": last, "last_said": own, "revealed": assessments(last, session.person, judged)}


def _next_case(session: AnnotationSession, order: Sequence[int], done: frozenset[int]) -> QueuedCase | None:
    query = session.query
    if query.again >= 0:
        stored_case = session.case(query.again)
        place = order.index(query.again) if query.again in order else query.after
        return _queued_case(session, stored_case, place) if stored_case else None
    for skipped, queued in enumerate(open_places(order, done, query.after)):
        stored_case = session.case(queued.case_index)
        item = _queued_case(session, stored_case, queued.place) if stored_case else None
        if item is not None or skipped >= _MAX_SKIPPED_CASES:
            return item
    return None


def _queued_case(session: AnnotationSession, stored_case: StoredCase, place: int) -> QueuedCase | None:
    """Return a case to annotate; None where it has no claim to judge."""
    judged = claims_of(stored_case) if session.query.of == "claims" else None
    if session.query.of == "claims" and judged is None:
        return None
    verdicts_given = _verdicts_given(stored_case, session.person, judged)
    numbers = range(len(judged.claims)) if judged else range(0)
    case = stored_case.case
    return QueuedCase(
        stored_case,
        place,
        judged,
        verdicts_given,
        next((number for number in numbers if number not in verdicts_given), 0),
        plain(case.input),
        statements(case.actual_output, judged, "c") if case.actual_output else None,
        [plain(text) for text in (case.retrieval_context or case.context or ())[:_MAX_PASSAGES]],
        plain(case.expected_output) if case.expected_output else None,
    )


def _verdicts_given(
    stored_case: StoredCase, person: str, judged: MetricVerdicts | None
) -> dict[int, Annotation]:
    own = [item for item in stored_case.annotations if item.annotator == person]
    if judged is not None:
        return labelled_claims(own, judged.spec)
    return {_WHOLE_CASE: item for item in own if item.target == WHOLE}  # noqa: B035  (there is one at most)


def _finished_cases(session: AnnotationSession) -> frozenset[int]:
    """Return the cases that this person has finished; for claims, the cases whose claims are all judged."""
    verdicts_given = session.verdicts_given
    if session.query.of == "cases":
        return frozenset(item.case_index for item in verdicts_given if item.target == WHOLE)
    begun_cases = {item.case_index for item in verdicts_given if item.target.statement is not None}
    serial = session.store.change_marker(session.stored).serial
    claims = {index: _claims(session.store, session.stored.run.id, index, serial) for index in begun_cases}
    return frozenset(
        index
        for index, claims_of_case in claims.items()
        if claims_of_case and _is_finished(claims_of_case, index, verdicts_given)
    )


class _Claims(NamedTuple):
    """The number of claims of a case, and the metric that they belong to."""

    spec: str
    number: int


@lru_cache(maxsize=20_000)
def _claims(store: Store, run: str, index: int, serial: int) -> _Claims | None:
    """Return the claims to annotate in a case; None if it was deleted. Cached until the run changes."""
    del serial
    try:
        judged = claims_of(store.case(store.find(run), index))
    except UsageError:
        return None
    return _Claims(judged.spec, len(judged.claims)) if judged else _Claims("", 0)


def _is_finished(claims: _Claims, index: int, verdicts_given: Sequence[Annotation]) -> bool:
    labelled = labelled_claims((item for item in verdicts_given if item.case_index == index), claims.spec)
    return len(labelled) >= claims.number


def _matches_query(annotation: Annotation, query: AnnotateQuery) -> bool:
    return (annotation.target.statement is not None) == (query.of == "claims")
