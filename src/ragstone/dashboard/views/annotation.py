"""What lies on an annotator's desk: the next case, what was just said of the last one, and how far one has come."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from ragstone.dashboard.views.annotation_queue import QueueOrder, case_order, open_places
from ragstone.dashboard.views.case_annotations import WHOLE, assessments, claims_of, labelled_claims
from ragstone.dashboard.views.highlighting import HighlightedText, plain, statements
from ragstone.dashboard.views.verdicts import MetricVerdicts
from ragstone.errors import UsageError
from ragstone.store import Annotation, Store, StoredCase, StoredRun

_MOST_PASSAGES = 30
_WHOLE_CASE = -1
_TRIES = 200
"""Cases without a claim that are passed over before the queue is called empty."""


class AnnotateQuery(NamedTuple):
    """What the address asks for.

    Attributes:
        of: whether cases or their claims are judged.
        order: in which order.
        after: place in the order behind which to look: what is before was skipped.
        again: one case to judge again; -1 for the next.
        last: the case that was judged just now; -1 for none.
    """

    of: Literal["cases", "claims"]
    order: QueueOrder
    after: int
    again: int
    last: int


class AnnotationItem(NamedTuple):
    """A case on the desk.

    Attributes:
        found: the case.
        place: in the order; where to look on when it is skipped.
        reading: the claims to judge; None where the case is judged as a whole.
        said: own verdicts by the number of their claim, from 0; -1 for the whole case.
        current: the claim to judge now.
        question: its text.
        answer: its text; the claims are drawn where they stand, without a colour: nobody has judged them yet.
        passages: the texts to judge it by.
        expected: likewise.
    """

    found: StoredCase
    place: int
    reading: MetricVerdicts | None
    said: dict[int, Annotation]
    current: int
    question: HighlightedText
    answer: HighlightedText | None
    passages: list[HighlightedText]
    expected: HighlightedText | None


class AnnotationRequest(NamedTuple):
    """Who sits at which run, and wants what."""

    store: Store
    stored: StoredRun
    person: str
    want: AnnotateQuery

    @property
    def said(self) -> list[Annotation]:
        """What this person has said about this run."""
        return self.store.annotations.of(self.stored.number, None, self.person)

    def case(self, index: int) -> StoredCase | None:
        """Return a case of the run; None where there is none."""
        try:
            return self.store.case(self.stored, index) if index >= 0 else None
        except UsageError:
            return None


def annotation_view(seat: AnnotationRequest) -> dict[str, Any]:
    """Return the values of the template."""
    order = case_order(seat.store, seat.stored, seat.want.order, seat.person)
    done = _done(seat)
    return {
        "item": _chosen(seat, order, done),
        "total": len(order),
        "done": len(done.intersection(order)),
        **_last(seat, seat.case(seat.want.last)),
    }


def _last(seat: AnnotationRequest, last: StoredCase | None) -> dict[str, Any]:
    """Return what was said of the last case: by this person, and, now that this one has spoken, by the others."""
    own = (
        [one for one in last.annotations if one.annotator == seat.person and _fits(one, seat.want)]
        if last
        else []
    )
    if last is None or not own:
        return {"last": None, "last_said": [], "revealed": []}
    reading = claims_of(last) if seat.want.of == "claims" else None
    return {"last": last, "last_said": own, "revealed": assessments(last, seat.person, reading)}


def _chosen(seat: AnnotationRequest, order: Sequence[int], done: frozenset[int]) -> AnnotationItem | None:
    want = seat.want
    if want.again >= 0:
        found = seat.case(want.again)
        place = order.index(want.again) if want.again in order else want.after
        return _item(seat, found, place) if found else None
    for tried, stop in enumerate(open_places(order, done, want.after)):
        found = seat.case(stop.case_index)
        item = _item(seat, found, stop.place) if found else None
        if item is not None or tried >= _TRIES:
            return item
    return None


def _item(seat: AnnotationRequest, found: StoredCase, place: int) -> AnnotationItem | None:
    """Return a case for the desk; None where it has no claim to judge."""
    reading = claims_of(found) if seat.want.of == "claims" else None
    if seat.want.of == "claims" and reading is None:
        return None
    said = _said(found, seat.person, reading)
    numbers = range(len(reading.claims)) if reading else range(0)
    case = found.case
    return AnnotationItem(
        found,
        place,
        reading,
        said,
        next((number for number in numbers if number not in said), 0),
        plain(case.input),
        statements(case.actual_output, reading, "c") if case.actual_output else None,
        [plain(text) for text in (case.retrieval_context or case.context or ())[:_MOST_PASSAGES]],
        plain(case.expected_output) if case.expected_output else None,
    )


def _said(found: StoredCase, person: str, reading: MetricVerdicts | None) -> dict[int, Annotation]:
    own = [one for one in found.annotations if one.annotator == person]
    if reading is not None:
        return labelled_claims(own, reading.spec)
    return {_WHOLE_CASE: one for one in own if one.target == WHOLE}  # noqa: B035  (there is one at most)


def _done(seat: AnnotationRequest) -> frozenset[int]:
    """Return the cases with which this person is done: of claims, those of which all are judged."""
    said = seat.said
    if seat.want.of == "cases":
        return frozenset(one.case_index for one in said if one.target == WHOLE)
    begun = {one.case_index for one in said if one.target.statement is not None}
    serial = seat.store.change_marker(seat.stored).serial
    claims = {index: _claims(seat.store, seat.stored.run.id, index, serial) for index in begun}
    return frozenset(index for index, about in claims.items() if about and _complete(about, index, said))


class _Claims(NamedTuple):
    """How many claims a case has, of the metric that they are judged of."""

    spec: str
    number: int


@lru_cache(maxsize=20_000)
def _claims(store: Store, run: str, index: int, serial: int) -> _Claims | None:
    """Return what there is to judge in a case; None where it is gone. Read once, until the run goes on."""
    del serial
    try:
        reading = claims_of(store.case(store.find(run), index))
    except UsageError:
        return None
    return _Claims(reading.spec, len(reading.claims)) if reading else _Claims("", 0)


def _complete(about: _Claims, index: int, said: Sequence[Annotation]) -> bool:
    mine = labelled_claims((one for one in said if one.case_index == index), about.spec)
    return len(mine) >= about.number


def _fits(said: Annotation, want: AnnotateQuery) -> bool:
    return (said.target.statement is not None) == (want.of == "claims")
