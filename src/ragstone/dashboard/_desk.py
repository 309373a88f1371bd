"""What lies on an annotator's desk: the next case, what was just said of the last one, and how far one has come."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from ragstone.dashboard._dossier import Reading
from ragstone.dashboard._labelling import ON_CASES, WHOLE, claims_of, labelled_claims, opinions
from ragstone.dashboard._painting import Painted, plain, statements
from ragstone.dashboard._queue import Order, Stop, open_stops, ordered
from ragstone.errors import UsageError
from ragstone.store import Annotation, Store, StoredCase, StoredRun

_MOST_PASSAGES = 30
_TRIES = 200
"""Cases without a claim that are passed over before the queue is called empty."""


class Want(NamedTuple):
    """What the address asks for.

    Attributes:
        of: whether cases or their claims are judged.
        order: in which order.
        after: place in the order behind which to look: what is before was skipped.
        index: one case to judge again; -1 for the next.
        last: the case that was judged just now; -1 for none.
    """

    of: Literal["cases", "claims"]
    order: Order
    after: int
    index: int
    last: int


class Item(NamedTuple):
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
    reading: Reading | None
    said: dict[int, Annotation]
    current: int
    question: Painted
    answer: Painted | None
    passages: list[Painted]
    expected: Painted | None


def desk(store: Store, stored: StoredRun, person: str, want: Want) -> dict[str, Any]:
    """Return the values of the template."""
    said = store.annotations.of(stored.number, None, person)
    order = ordered(store, stored, want.order, person)
    done = _done(store, stored, said, want)
    item = _chosen(store, stored, person, want, order, done)
    last = _case(store, stored, want.last)
    return {
        "item": item,
        "total": len(order),
        "done": len(done.intersection(order)),
        "last": last,
        "last_said": [one for one in last.annotations if one.annotator == person and _fits(one, want)] if last else [],
        "revealed": opinions(last, person, claims_of(last) if want.of == "claims" else None) if last else [],
        "cases_words": ON_CASES,
    }


def _chosen(
    store: Store, stored: StoredRun, person: str, want: Want, order: Sequence[int], done: frozenset[int]
) -> Item | None:
    if want.index >= 0:
        found = _case(store, stored, want.index)
        place = order.index(want.index) if want.index in order else want.after
        return _item(found, person, place, want) if found else None
    for tried, stop in enumerate(open_stops(order, done, want.after)):
        item = _at(store, stored, person, stop, want)
        if item is not None or tried >= _TRIES:
            return item
    return None


def _at(store: Store, stored: StoredRun, person: str, stop: Stop, want: Want) -> Item | None:
    return _item(store.case(stored, stop.case_index), person, stop.place, want)


def _item(found: StoredCase, person: str, place: int, want: Want) -> Item | None:
    """Return a case for the desk; None where it has no claim to judge."""
    reading = claims_of(found) if want.of == "claims" else None
    if want.of == "claims" and reading is None:
        return None
    own = [one for one in found.annotations if one.annotator == person]
    said = labelled_claims(own, reading.spec) if reading else {-1: one for one in own if one.target == WHOLE}
    open_ones = [claim.number - 1 for claim in reading.claims if claim.number - 1 not in said] if reading else []
    case = found.case
    return Item(
        found,
        place,
        reading,
        said,
        open_ones[0] if open_ones else 0,
        plain(case.input),
        statements(case.actual_output, reading, "c") if case.actual_output else None,
        [plain(text) for text in (case.retrieval_context or case.context or ())[:_MOST_PASSAGES]],
        plain(case.expected_output) if case.expected_output else None,
    )


def _done(store: Store, stored: StoredRun, said: Sequence[Annotation], want: Want) -> frozenset[int]:
    if want.of == "cases":
        return frozenset(one.case_index for one in said if one.target == WHOLE)
    begun = {one.case_index for one in said if one.target.statement is not None}
    return frozenset(index for index in begun if _complete(store.case(stored, index), said))


def _complete(found: StoredCase, said: Sequence[Annotation]) -> bool:
    reading = claims_of(found)
    if reading is None:
        return True
    mine = labelled_claims((one for one in said if one.case_index == found.case_index), reading.spec)
    return len(mine) >= len(reading.claims)


def _case(store: Store, stored: StoredRun, index: int) -> StoredCase | None:
    try:
        return store.case(stored, index) if index >= 0 else None
    except UsageError:
        return None


def _fits(said: Annotation, want: Want) -> bool:
    return (said.target.statement is not None) == (want.of == "claims")
