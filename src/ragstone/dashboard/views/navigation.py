"""Previous, next and back: the filter of the table is part of the URL, so that *next* is its next row."""

from typing import NamedTuple

from fastapi import Request

from ragstone.dashboard.views.case_filter import CaseFilter
from ragstone.store import CaseQuery, Store, StoredRun

_CASE_PARAMETERS = frozenset({"by", "whole"})
"""Query parameters that the page of a case adds."""


class Neighbour(NamedTuple):
    """A case beside the one that is shown: its number, from 1, and where it is."""

    number: int
    href: str


class CaseNavigation(NamedTuple):
    """Links back to the table, and to the neighbouring cases.

    Attributes:
        back: the table, filtered and sorted as it was.
        previous: the case before; None for the first.
        next: the case after; None for the last.
        position: from 1, among the cases that match the filter; None if this case does not match.
        kept: the filter as a query string with its question mark; empty if no table led to the page.
    """

    back: str
    previous: Neighbour | None
    next: Neighbour | None
    position: int | None
    kept: str


def case_navigation(
    request: Request, store: Store, stored: StoredRun, case_index: int, case_filter: CaseFilter
) -> CaseNavigation:
    """Return the links of a case of a run; if no table led to it, its neighbours are those in the dataset.

    Raises:
        UsageError: the filter names a run that is not there.
    """
    from_table = any(name not in _CASE_PARAMETERS for name in request.query_params)
    kept = case_filter.link(page=case_filter.page) if from_table else ""
    query = case_filter.query(store) if from_table else CaseQuery()
    neighbours = store.table(stored).neighbours(case_index, query)
    run_url = f"/runs/{stored.run.id}"

    def neighbour(index: int | None) -> Neighbour | None:
        return None if index is None else Neighbour(index + 1, f"{run_url}/cases/{index}{kept}")

    position = None if neighbours.position is None else neighbours.position + 1
    return CaseNavigation(
        f"{run_url}{kept}", neighbour(neighbours.before), neighbour(neighbours.after), position, kept
    )
