"""CSV: one flat row for each result, for spreadsheets.

A text that a spreadsheet would execute as a formula gets a leading quote. So does a formula after a semicolon, a tab or
a line end, since a spreadsheet with another separator begins a cell there. List bullets are unchanged. Control
characters, which a terminal that shows the file would obey, are visible signs.
"""

import csv
import re
from io import TextIOWrapper
from typing import IO

from ragstone.findings.printable import printable
from ragstone.findings.report import Report
from ragstone.show.formats.columns import COLUMNS, Value

_CELL_START = re.compile(
    r"(?P<before>\A|[;\t\r\n])"
    r"(?P<blank>[\s\x00-\x1f\x7f-\xa0\xad\u200b-\u200f\u2060\ufeff]*+)"
    r"(?P<sign>[=+\-@\uff1d\uff0b\uff0d\uff20]?)"
    r"(?P<bullet>(?<=[+\-])[ ]\w[^\t\r\n|(!;]*+(?=[\r\n]|\Z))?"
)
"""The possible start of a cell. It never fails after the blanks and never backtracks into them: linear time."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters except tab and line ends, and overrides of the direction of text."""


def write(report: Report, file: IO[bytes]) -> None:
    """Write a report."""
    text = TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="")
    writer = csv.writer(text)
    writer.writerow([column.name for column in COLUMNS])
    for case, result in report.flat():
        writer.writerow([_cell(column.value(case, result)) for column in COLUMNS])
    text.detach()


def _cell(value: Value) -> Value:
    """Return the value such that a spreadsheet shows it and does not execute it (CSV injection: owasp.org)."""
    if not isinstance(value, str):
        return value
    return _CELL_START.sub(_quote_formula, _CONTROL.sub(lambda found: printable(found[0]), value))


def _quote_formula(start: re.Match[str]) -> str:
    blank, sign = start["before"] + start["blank"], start["sign"]
    inner_quote = "'" if sign and not start["bullet"] and re.search(r"[;\t\r\n]", blank) else ""
    text = f"{blank}{inner_quote}{sign}{start['bullet'] or ''}"
    starts_text = not start["before"] and (sign or blank.startswith(("\t", "\r")))
    return f"'{text}" if starts_text else text
