"""Runs in a database: SQLite by default, PostgreSQL by URL. Only this package contains SQL."""

from typing import TYPE_CHECKING

from ragstone.lazy import lazy_exports

if TYPE_CHECKING:
    from ragstone.store.read.annotations import CAUSE, Annotation, Annotations, Target, by_target
    from ragstone.store.read.baselines import Baseline, Baselines
    from ragstone.store.read.case import StoredCase, StoredExchange
    from ragstone.store.read.case_table import CaseLine, CasePage, CaseQuery, CaseTable, Neighbours, TableCell
    from ragstone.store.read.changes import ChangeMarker, Changes, ResultLine
    from ragstone.store.read.figures import MetricFigures, RunFigures
    from ragstone.store.read.progress import Progress
    from ragstone.store.read.runs import MetricLine, RunLine, RunPage, RunQuery, TrendPoint, trends
    from ragstone.store.read.score_table import ScoreTable
    from ragstone.store.schema.connect import default_path
    from ragstone.store.store import Store, StoredRun, open_store

_EXPORTS = {
    "Annotation": "ragstone.store.read.annotations:Annotation",
    "Annotations": "ragstone.store.read.annotations:Annotations",
    "CAUSE": "ragstone.store.read.annotations:CAUSE",
    "Baseline": "ragstone.store.read.baselines:Baseline",
    "Baselines": "ragstone.store.read.baselines:Baselines",
    "CaseLine": "ragstone.store.read.case_table:CaseLine",
    "CasePage": "ragstone.store.read.case_table:CasePage",
    "CaseQuery": "ragstone.store.read.case_table:CaseQuery",
    "CaseTable": "ragstone.store.read.case_table:CaseTable",
    "TableCell": "ragstone.store.read.case_table:TableCell",
    "Changes": "ragstone.store.read.changes:Changes",
    "MetricFigures": "ragstone.store.read.figures:MetricFigures",
    "MetricLine": "ragstone.store.read.runs:MetricLine",
    "Neighbours": "ragstone.store.read.case_table:Neighbours",
    "ScoreTable": "ragstone.store.read.score_table:ScoreTable",
    "TrendPoint": "ragstone.store.read.runs:TrendPoint",
    "Progress": "ragstone.store.read.progress:Progress",
    "ChangeMarker": "ragstone.store.read.changes:ChangeMarker",
    "ResultLine": "ragstone.store.read.changes:ResultLine",
    "RunFigures": "ragstone.store.read.figures:RunFigures",
    "RunLine": "ragstone.store.read.runs:RunLine",
    "RunPage": "ragstone.store.read.runs:RunPage",
    "RunQuery": "ragstone.store.read.runs:RunQuery",
    "Store": "ragstone.store.store:Store",
    "StoredCase": "ragstone.store.read.case:StoredCase",
    "StoredExchange": "ragstone.store.read.case:StoredExchange",
    "StoredRun": "ragstone.store.store:StoredRun",
    "Target": "ragstone.store.read.annotations:Target",
    "by_target": "ragstone.store.read.annotations:by_target",
    "default_path": "ragstone.store.schema.connect:default_path",
    "open_store": "ragstone.store.store:open_store",
    "trends": "ragstone.store.read.runs:trends",
}

__all__ = [
    "CAUSE",
    "Annotation",
    "Annotations",
    "Baseline",
    "Baselines",
    "CaseLine",
    "CasePage",
    "CaseQuery",
    "CaseTable",
    "ChangeMarker",
    "Changes",
    "MetricFigures",
    "MetricLine",
    "Neighbours",
    "Progress",
    "ResultLine",
    "RunFigures",
    "RunLine",
    "RunPage",
    "RunQuery",
    "ScoreTable",
    "Store",
    "StoredCase",
    "StoredExchange",
    "StoredRun",
    "TableCell",
    "Target",
    "TrendPoint",
    "by_target",
    "default_path",
    "open_store",
    "trends",
]

__getattr__ = lazy_exports(__name__, _EXPORTS)
