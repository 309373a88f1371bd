"""Filter, order and page of a table of test cases, as query parameters that links keep."""

from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import Depends, Query
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ragstone.status import Status
from ragstone.store import CaseQuery, Store, StoredRun
from ragstone.store.read.case_table import Sort

PAGE = 50
_ORDER_FIELDS = ("sort", "sort_metric", "descending", "page", "columns")
Score = Annotated[
    Annotated[float, Field(ge=0, le=1)] | None,
    BeforeValidator(lambda value: None if value == "" else value),
]


class CaseFilter(BaseModel):
    """Filter, order and page of test cases.

    Attributes:
        text: to look for in question, answer, name, id and tags, in the passages, the expected output and the metadata.
        status: `passed`: everything passed; any other: at least one result has it. With `metric`, the status of its
            result.
        metric: spec of the metric that `status`, `low`, `high` and the sort by score look at.
        label: the label of a result; with `metric`, of its result.
        low: least score.
        high: greatest score.
        tag: a tag.
        metadata: `key=value` of the metadata, or a key alone.
        flipped: id of a run, or name of a baseline: only test cases on which a metric passes in only one of both runs.
        annotated: only test cases with (`yes`) or without (`no`) annotations.
        sort: the order.
        sort_metric: spec of the metric whose score sorts, if it is another one than `metric`.
        descending: whether the order is reversed.
        columns: which columns the table shows: specs of metrics, `why`; empty: all.
        page: which page, from 1.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

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
        defaults = CaseFilter()
        unordered = {name: getattr(defaults, name) for name in (*_ORDER_FIELDS, "metric")}
        return self.model_copy(update=unordered) != defaults

    @property
    def words(self) -> str:
        """What the filter demands, in words: `status = missed, tag = hr`."""
        shown = self.model_dump(exclude_defaults=True, exclude={*_ORDER_FIELDS})
        return ", ".join(f"{name} = {value}" for name, value in shown.items())

    def link(self, **changed: Any) -> str:  # noqa: ANN401  (fields)
        """Return the query string of the same table with something changed; on its first page by default."""
        parameters = {"page": 1, **changed}
        values = {**self.model_dump(exclude_defaults=True), **parameters}
        defaults = type(self)().model_dump()
        kept = {name: _query_value(value) for name, value in values.items() if value != defaults[name]}
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
        return CaseQuery(
            text=self.text.strip(),
            status=self.status,
            metric=self.metric,
            label=self.label,
            low=self.low,
            high=self.high,
            tag=self.tag,
            metadata=self.metadata.strip(),
            flipped_against=None if other is None else other.number,
            annotated={"yes": True, "no": False}.get(self.annotated),
            sort=self.sort or "worst",
            sort_metric=self.sort_metric,
            descending=self.descending,
            limit=size,
            offset=0 if size is None else (self.page - 1) * size,
        )


def other_run(store: Store, wanted: str) -> StoredRun | None:
    """Return the run of a baseline's name or of a run's id; None for an empty text."""
    if not wanted:
        return None
    baselines = {baseline.name: baseline.run for baseline in store.baselines.all()}
    return store.find(baselines.get(wanted, wanted))


def _query_value(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def _case_filter(asked: Annotated[CaseFilter, Query()]) -> CaseFilter:
    return asked


CaseFilterDep = Annotated[CaseFilter, Depends(_case_filter)]
"""Dependency that gives a route the filter in its URL."""
