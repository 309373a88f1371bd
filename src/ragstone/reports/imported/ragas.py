"""Ragas: `result.to_pandas()` as CSV, or as JSON records.

Columns with any name that Ragas has used for a field of a test case (`user_input`, `question` …) become that field;
every other column of numbers from 0 to 1 is a metric. NaN, which Ragas writes for a failed metric, is no value, not 0.
"""

from collections.abc import Mapping
from typing import Any

from ragstone.datasets.rows.field_names import KNOWN, normalize_name
from ragstone.reports.imported.rows import (
    ImportedRow,
    ImportedRun,
    ImportedScore,
    as_list,
    as_number,
    as_object,
)

_NOT_METRICS = frozenset({"", "index", "label", "labels", "annotators", "unnamed:_0", "level_0"})
_QUESTION_COLUMNS = frozenset({"user_input", "question"})
_MISSING = frozenset({"", "nan", "none", "null"})


def fits(found: Any) -> bool:  # noqa: ANN401  (what JSON or CSV holds)
    """Return whether these are records with a question and a metric."""
    rows = [as_object(row) for row in as_list(found)]
    return (
        bool(rows)
        and bool({normalize_name(str(name)) for name in rows[0]} & _QUESTION_COLUMNS)
        and bool(_metrics(rows))
    )


def read(found: Any) -> ImportedRun:  # noqa: ANN401
    """Return the run."""
    rows = [{str(name): value for name, value in as_object(row).items()} for row in as_list(found)]
    metrics = _metrics(rows)
    return ImportedRun(tool="ragas", version="", judge="", rows=[_row(row, metrics) for row in rows])


def _metrics(rows: list[dict[str, Any]]) -> list[str]:
    """Return the columns that hold a number or nothing in every row, and a number in at least one."""
    names = [name for name in rows[0] if normalize_name(name) not in KNOWN | _NOT_METRICS]
    return [name for name in names if _numeric([row.get(name) for row in rows])]


def _numeric(values: list[Any]) -> bool:
    given = [value for value in values if not _missing(value)]
    return bool(given) and all(
        not isinstance(value, bool) and as_number(value) is not None for value in given
    )


def _missing(value: Any) -> bool:  # noqa: ANN401
    return value is None or value != value or (isinstance(value, str) and value.strip().lower() in _MISSING)  # noqa: PLR0124  (NaN)


def _row(row: Mapping[str, Any], metrics: list[str]) -> ImportedRow:
    values = {name: value for name, value in row.items() if name not in metrics and not _missing(value)}
    scores = [
        ImportedScore(name, None, error="Ragas wrote NaN")
        if _missing(row.get(name))
        else ImportedScore(name, as_number(row[name]))
        for name in metrics
    ]
    return ImportedRow(values, scores)
