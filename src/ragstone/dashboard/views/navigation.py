"""Previous, next and back: the filter of the table travels in the URL, so that *next* is its next row."""

from typing import NamedTuple

from fastapi import Request

from ragstone.dashboard.views.case_filter import CaseFilter
from ragstone.store import CaseQuery, Store, StoredRun

_OWN = frozenset({"by", "whole"})
"""What the page of a case adds to the address."""


class Neighbour(NamedTuple):
    """A case beside the one that is shown: its number, from 1, and where it is."""

    number: int
    href: str


class CaseNavigation(NamedTuple):
    """The way back, and to the cases on either side.

    Attributes:
        back: the table, filtered and sorted as it was.
        previous: the case before; None for the first.
        next: the case after; None for the last.
        position: from 1, among those that the filter lets through; None where it lets this one not.
        kept: the filter, as the address spells it, with the mark that begins it; empty where one came from no table.
    """

    back: str
    previous: Neighbour | None
    next: Neighbour | None
    position: int | None
    kept: str


def case_navigation(
    request: Request, store: Store, stored: StoredRun, case_index: int, case_filter: CaseFilter
) -> CaseNavigation:
    """Return the way from a case of a run; who came from no table goes on in the order of the dataset.

    Raises:
        UsageError: the filter names a run that is not there.
    """
    from_table = any(name not in _OWN for name in request.query_params)
    kept = case_filter.link(page=case_filter.page) if from_table else ""
    query = case_filter.query(store) if from_table else CaseQuery()
    found = store.table(stored).neighbours(case_index, query)
    here = f"/runs/{stored.run.id}"

    def neighbour(index: int | None) -> Neighbour | None:
        return None if index is None else Neighbour(index + 1, f"{here}/cases/{index}{kept}")

    position = None if found.position is None else found.position + 1
    return CaseNavigation(f"{here}{kept}", neighbour(found.before), neighbour(found.after), position, kept)
