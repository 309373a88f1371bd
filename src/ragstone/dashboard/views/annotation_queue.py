"""The order in which a person annotates cases.

Random by default: a random sample represents the whole run, so agreement figures hold for all of it. The order is the
same for everybody, so that two people label the same cases early. *Worst first* and *where judge and people differ*
find errors sooner, but figures from them are biased towards those cases.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Literal, NamedTuple

from ragstone.store import Annotation, CaseQuery, Store, StoredRun, Target

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


class QueuePlace(NamedTuple):
    """A place in the queue.

    Attributes:
        place: in the order, from 0.
        case_index: which case it is.
    """

    place: int
    case_index: int


def case_order(store: Store, stored: StoredRun, order: QueueOrder, person: str) -> Sequence[int]:
    """Return the places of a run's cases in the order in which they are labelled."""
    table = store.table(stored)
    if order == "worst":
        return table.indices(CaseQuery(sort="worst"))
    if order == "differ":
        return sorted(_disputed_cases(store, stored, person))
    return _shuffled(stored.run.id, tuple(table.indices(CaseQuery())))


def open_places(order: Sequence[int], done: frozenset[int], after: int = -1) -> Iterator[QueuePlace]:
    """Yield the cases that are not done: from the place behind `after` on, then those before it, which were skipped."""
    for place in (*range(after + 1, len(order)), *range(min(after + 1, len(order)))):
        if order[place] not in done:
            yield QueuePlace(place, order[place])


@lru_cache(maxsize=16)
def _shuffled(run: str, indices: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(Random(run).sample(indices, len(indices)))  # noqa: S311  (a sample, no secret)


def _disputed_cases(store: Store, stored: StoredRun, person: str) -> set[int]:
    """Return the cases on which another person's verdict differs from the judge's."""
    annotations = [
        item
        for item in store.annotations.of(stored.number)
        if item.annotator != person and item.target == Target()
    ]
    lines = store.table(stored).page(CaseQuery(annotated=True, limit=len(annotations) or 1)).lines
    is_good = {line.case_index: line.missed == 0 for line in lines if line.passed or line.missed}
    return {item.case_index for item in annotations if _differs(item, is_good.get(item.case_index))}


def _differs(annotation: Annotation, is_good: bool | None) -> bool:  # noqa: FBT001  (the judge's word)
    return annotation.verdict != "idk" and is_good is not None and (annotation.verdict == "yes") != is_good
