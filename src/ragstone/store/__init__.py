"""Runs in a database: SQLite by default, PostgreSQL by URL. Only this room knows SQL."""

from typing import TYPE_CHECKING, Any

from ragstone.plugins import load

if TYPE_CHECKING:
    from ragstone.store._annotations import Annotation, Annotations, Target, by_target
    from ragstone.store._baselines import Baseline, Baselines
    from ragstone.store._case_table import CaseLine, CasePage, CaseQuery, CaseTable, Cell, Neighbours
    from ragstone.store._changes import Changes, Pulse, ResultLine
    from ragstone.store._connect import default_path
    from ragstone.store._figures import MetricFigures, RunFigures
    from ragstone.store._one_case import StoredCase, StoredExchange
    from ragstone.store._outline import Outline
    from ragstone.store._progress import Progress
    from ragstone.store._runs import MetricLine, Point, RunLine, RunPage, RunQuery, trends
    from ragstone.store._store import Store, StoredRun, open_store

_PLACES = {
    "Annotation": "ragstone.store._annotations:Annotation",
    "Annotations": "ragstone.store._annotations:Annotations",
    "Baseline": "ragstone.store._baselines:Baseline",
    "Baselines": "ragstone.store._baselines:Baselines",
    "CaseLine": "ragstone.store._case_table:CaseLine",
    "CasePage": "ragstone.store._case_table:CasePage",
    "CaseQuery": "ragstone.store._case_table:CaseQuery",
    "CaseTable": "ragstone.store._case_table:CaseTable",
    "Cell": "ragstone.store._case_table:Cell",
    "Changes": "ragstone.store._changes:Changes",
    "MetricFigures": "ragstone.store._figures:MetricFigures",
    "MetricLine": "ragstone.store._runs:MetricLine",
    "Neighbours": "ragstone.store._case_table:Neighbours",
    "Outline": "ragstone.store._outline:Outline",
    "Point": "ragstone.store._runs:Point",
    "Progress": "ragstone.store._progress:Progress",
    "Pulse": "ragstone.store._changes:Pulse",
    "ResultLine": "ragstone.store._changes:ResultLine",
    "RunFigures": "ragstone.store._figures:RunFigures",
    "RunLine": "ragstone.store._runs:RunLine",
    "RunPage": "ragstone.store._runs:RunPage",
    "RunQuery": "ragstone.store._runs:RunQuery",
    "Store": "ragstone.store._store:Store",
    "StoredCase": "ragstone.store._one_case:StoredCase",
    "StoredExchange": "ragstone.store._one_case:StoredExchange",
    "StoredRun": "ragstone.store._store:StoredRun",
    "Target": "ragstone.store._annotations:Target",
    "by_target": "ragstone.store._annotations:by_target",
    "default_path": "ragstone.store._connect:default_path",
    "open_store": "ragstone.store._store:open_store",
    "trends": "ragstone.store._runs:trends",
}

__all__ = [
    "Annotation",
    "Annotations",
    "Baseline",
    "Baselines",
    "CaseLine",
    "CasePage",
    "CaseQuery",
    "CaseTable",
    "Cell",
    "Changes",
    "MetricFigures",
    "MetricLine",
    "Neighbours",
    "Outline",
    "Point",
    "Progress",
    "Pulse",
    "ResultLine",
    "RunFigures",
    "RunLine",
    "RunPage",
    "RunQuery",
    "Store",
    "StoredCase",
    "StoredExchange",
    "StoredRun",
    "Target",
    "by_target",
    "default_path",
    "open_store",
    "trends",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  (a module's attribute may be anything)
    if name in _PLACES:
        return load(_PLACES[name])
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
