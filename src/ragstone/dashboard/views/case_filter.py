"""Filter, order and page of a table of test cases: query parameters that links keep, so that *next* is its next row."""

from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlencode

from fastapi import Depends, Query, Request
from pydantic import BaseModel, BeforeValidator, Field

from ragstone.status import Status
from ragstone.store import CaseQuery, Store, StoredRun
from ragstone.store.read.case_table import Sort

PAGE = 50
_CASE_PARAMETERS = frozenset({"by", "whole"})  # query parameters that the page of a case adds
_ORDER_FIELDS = ("sort", "sort_metric", "descending", "page", "columns")
Score = Annotated[
    Annotated[float, Field(ge=0, le=1)] | None,
    BeforeValidator(lambda value: None if value == "" else value),
]


class CaseFilter(BaseModel, frozen=True, extra="ignore"):
    """Filter, order and page of test cases.

    Attributes:
        text: to look for in question, answer, name, id and tags, in the passages, the expected output and the metadata.
        status: `passed`: everything passed; any other: at least one result has it. With `metric`, the status of its
            result.
        metric: spec of the metric that `status`, `low`, `high` and the sort by score look at.
        label: the label of a result; with `metric`, of its result.
        metadata: `key=value` of the metadata, or a key alone.
        flipped: id of a run, or name of a baseline: only test cases on which a metric passes in only one of both runs.
        annotated: only test cases with (`yes`) or without (`no`) annotations.
        sort_metric: spec of the metric whose score sorts, if it is another one than `metric`.
        columns: which columns the table shows: specs of metrics, `why`; empty: all.
    """

    text: str = Field(default="", max_length=500)
    status: Status | Literal[""] = ""
    metric: str = Field(default="", max_length=4000)
    label: str = Field(default="", max_length=200)
    low: Score = None
    high: Score = None
    tag: str = Field(default="", max_length=200)
    metadata: str = Field(default="", max_length=400)
    flipped: str = Field(default="", max_length=200)
    annotated: Literal["", "yes", "no"] = ""
    sort: Sort | Literal[""] = ""
    sort_metric: str = Field(default="", max_length=4000)
    descending: bool = False
    columns: Annotated[list[str], Field(max_length=60)] = []
    page: int = Field(default=1, ge=1, le=1_000_000)

    @property
    def filtered(self) -> bool:
        """Whether some test cases are left out."""
        return bool(self.model_dump(exclude_defaults=True, exclude={*_ORDER_FIELDS, "metric"}))

    @property
    def words(self) -> str:
        """What the filter demands, in words: `status = missed, tag = hr`."""
        shown = self.model_dump(exclude_defaults=True, exclude={*_ORDER_FIELDS})
        return ", ".join(f"{name} = {value}" for name, value in shown.items())

    def link(self, **changed: Any) -> str:  # noqa: ANN401  (fields)
        """Return the query string of the same table with something changed; on its first page by default."""
        values = {**self.model_dump(exclude_defaults=True), "page": 1, **changed}
        defaults = type(self)().model_dump()
        kept = {
            name: str(value).lower() if isinstance(value, bool) else value
            for name, value in values.items()
            if value != defaults[name]
        }
        return f"?{urlencode(kept, doseq=True)}" if kept else "?"

    def way(self) -> str:
        """Return the query string for links to test cases, from which their pages find the neighbours."""
        return self.model_copy(update={"sort": self.sort or "worst"}).link(page=self.page)

    def query(self, store: Store, size: int | None = PAGE) -> CaseQuery:
        """Return the query of the store.

        Raises:
            UsageError: there is no run to compare with.
        """
        other = other_run(store, self.flipped)
        same = {"status", "metric", "label", "low", "high", "tag", "sort_metric", "descending"}
        return CaseQuery(
            **self.model_dump(include=same),
            text=self.text.strip(),
            metadata=self.metadata.strip(),
            flipped_against=None if other is None else other.number,
            annotated={"yes": True, "no": False}.get(self.annotated),
            sort=self.sort or "worst",
            limit=size,
            offset=0 if size is None else (self.page - 1) * size,
        )


def other_run(store: Store, wanted: str) -> StoredRun | None:
    """Return the run of a baseline's name or of a run's id; None for an empty text."""
    if not wanted:
        return None
    baselines = {baseline.name: baseline.run for baseline in store.baselines.all()}
    return store.find(baselines.get(wanted, wanted))


async def _case_filter(asked: Annotated[CaseFilter, Query()]) -> CaseFilter:
    return asked


CaseFilterDep = Annotated[CaseFilter, Depends(_case_filter)]


class Neighbour(NamedTuple):
    """A case beside the one that is shown: its number, from 1, and where it is."""

    number: int
    href: str


class CaseNavigation(NamedTuple):
    """Links back to the table and to the neighbouring cases.

    The position is from 1 among the cases that match the filter; None if this case does not. `kept` is the filter as a
    query string, empty if no table led to the page.
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
