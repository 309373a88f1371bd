"""CSV: one flat row a result, for spreadsheets.

A text that a spreadsheet would run as a formula gets a leading quote.
"""

import csv
from io import TextIOWrapper
from typing import IO

from ragstone.reports.formats.columns import COLUMNS, Value
from ragstone.reports.report import Report

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write(report: Report, file: IO[bytes]) -> None:
    """Write a report."""
    text = TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="")
    writer = csv.writer(text)
    writer.writerow([column.name for column in COLUMNS])
    for case, result in report.flat():
        writer.writerow([_cell(column.value(case, result)) for column in COLUMNS])
    text.detach()


def _cell(value: Value) -> Value:
    """Return what a spreadsheet shows as the value, and never runs (CSV injection: owasp.org)."""
    if not isinstance(value, str):
        return value
    value = value.replace("\0", "")
    return f"'{value}" if value.lstrip(" ").startswith(_FORMULA) else value
