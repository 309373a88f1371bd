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
    from ragstone.store.read.runs import MetricLine, Progress, RunLine, RunPage, RunQuery, TrendPoint, trends
    from ragstone.store.read.score_table import ScoreTable
    from ragstone.store.schema.connect import default_path
    from ragstone.store.store import Store, StoredRun, open_store

_EXPORTS = {
    "read.annotations": ("CAUSE", "Annotation", "Annotations", "Target", "by_target"),
    "read.baselines": ("Baseline", "Baselines"),
    "read.case": ("StoredCase", "StoredExchange"),
    "read.case_table": ("CaseLine", "CasePage", "CaseQuery", "CaseTable", "Neighbours", "TableCell"),
    "read.changes": ("ChangeMarker", "Changes", "ResultLine"),
    "read.figures": ("MetricFigures", "RunFigures"),
    "read.runs": ("MetricLine", "Progress", "RunLine", "RunPage", "RunQuery", "TrendPoint", "trends"),
    "read.score_table": ("ScoreTable",),
    "schema.connect": ("default_path",),
    "store": ("Store", "StoredRun", "open_store"),
}

__all__ = [
    "CAUSE", "Annotation", "Annotations", "Baseline", "Baselines", "CaseLine", "CasePage", "CaseQuery",
    "CaseTable", "ChangeMarker", "Changes", "MetricFigures", "MetricLine", "Neighbours", "Progress",
    "ResultLine", "RunFigures", "RunLine", "RunPage", "RunQuery", "ScoreTable", "Store", "StoredCase",
    "StoredExchange", "StoredRun", "TableCell", "Target", "TrendPoint", "by_target", "default_path",
    "open_store", "trends",
]  # fmt: skip

__getattr__ = lazy_exports(
    __name__, {name: f"{__name__}.{module}" for module, names in _EXPORTS.items() for name in names}
)
