"""The table one came from: its filter travels in the address, so that "next" is its next row and "back" leads to it."""

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlencode

from ragstone.errors import UsageError
from ragstone.store import CaseQuery, Store, StoredRun

_OWN = frozenset({"by", "whole"})
_STATUSES = frozenset({"PASS", "FAIL", "ERROR", "SKIPPED"})
_SORTS = frozenset({"order", "worst", "score", "latency", "cost", "recent"})
_MOST = 500


class Neighbour(NamedTuple):
    """A case beside the one that is shown: its number, from 1, and where it is."""

    number: int
    href: str


class Way(NamedTuple):
    """The way back, and to the cases on either side.

    Attributes:
        back: the table, filtered and sorted as it was.
        previous: the case before; None for the first.
        next: the case after; None for the last.
        position: from 1, among those that the filter lets through; None where it lets this one not.
        kept: the filter, as the address spells it.
    """

    back: str
    previous: Neighbour | None
    next: Neighbour | None
    position: int | None
    kept: dict[str, str]


def way(store: Store, stored: StoredRun, case_index: int, query: Iterable[tuple[str, str]]) -> Way:
    """Return the way from a case of a run, with the filter in `query`: names and values of an address."""
    kept = {name: value[:_MOST] for name, value in query if name not in _OWN}
    found = store.table(stored).neighbours(case_index, case_query(store, kept))
    end = f"?{urlencode(kept, errors='replace')}" if kept else ""
    here = f"/runs/{stored.run.id}"

    def neighbour(index: int | None) -> Neighbour | None:
        return None if index is None else Neighbour(index + 1, f"{here}/cases/{index}{end}")

    position = None if found.position is None else found.position + 1
    return Way(f"{here}{end}", neighbour(found.before), neighbour(found.after), position, kept)


def case_query(store: Store, kept: dict[str, str]) -> CaseQuery:
    """Return a filter as the store takes it; what cannot be read is left out: an old link is no reason to fail."""
    sort, status = kept.get("sort", ""), kept.get("status", "")
    return CaseQuery(
        text=kept.get("text", ""),
        status=status if status in _STATUSES else "",  # pyright: ignore[reportArgumentType]  (just looked up)
        metric=kept.get("metric", ""),
        low=_number(kept.get("low")),
        high=_number(kept.get("high")),
        tag=kept.get("tag", ""),
        flipped_against=_run(store, kept.get("flipped", "")),
        annotator=kept.get("annotator", ""),
        sort=sort if sort in _SORTS else "order",  # pyright: ignore[reportArgumentType]
        descending=kept.get("descending", "") in {"1", "true", "on"},
    )


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


def _run(store: Store, wanted: str) -> int | None:
    try:
        return store.find(wanted).number if wanted else None
    except UsageError:
        return None
