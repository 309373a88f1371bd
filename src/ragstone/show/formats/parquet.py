"""Parquet: one typed row for each result, for data frames and warehouses. Needs the extra `parquet`."""

from itertools import islice
from typing import IO, Any

from ragstone.findings.report import Report
from ragstone.plugins import import_extra
from ragstone.show.formats.csv import COLUMNS, Value

_MAX_ROWS_PER_BATCH = 10_000


def require() -> None:
    """Check that pyarrow is installed.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    _import_arrow("")


def write(report: Report, file: IO[bytes]) -> None:
    """Write a report.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    arrow = _import_arrow("")
    types = {str: arrow.string(), float: arrow.float64(), int: arrow.int64(), bool: arrow.bool_()}
    schema = arrow.schema([(column.name, types[column.kind]) for column in COLUMNS])
    rows = (
        {column.name: _encodable(column.value(case, result)) for column in COLUMNS}
        for case, result in report.flat()
    )
    with _import_arrow(".parquet").ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := list(islice(rows, _MAX_ROWS_PER_BATCH)):
            writer.write_table(arrow.Table.from_pylist(batch, schema=schema))


def _encodable(value: Value) -> Value:
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _import_arrow(module: str) -> Any:  # noqa: ANN401  (an optional library)
    return import_extra("A report in Parquet", "parquet", f"pyarrow{module}")
