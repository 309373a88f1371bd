"""CSV: one flat row for each result, for spreadsheets.

A text that a spreadsheet would execute as a formula gets a leading quote. So does a formula after a semicolon, a tab or
a line end, since a spreadsheet with another separator begins a cell there. List bullets are unchanged. Control
characters, which a terminal that shows the file would obey, are visible signs.
"""

import csv
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from io import TextIOWrapper
from typing import IO

from ragstone.case import TestCase
from ragstone.findings.printable import printable
from ragstone.findings.report import Report
from ragstone.result import Result

_CELL_START = re.compile(
    r"(?P<before>\A|[;\t\r\n])"
    r"(?P<blank>[\s\x00-\x1f\x7f-\xa0\xad\u200b-\u200f\u2060\ufeff]*+)"
    r"(?P<sign>[=+\-@\uff1d\uff0b\uff0d\uff20]?)"
    r"(?P<bullet>(?<=[+\-])[ ]\w[^\t\r\n|(!;]*+(?=[\r\n]|\Z))?"
)
"""The possible start of a cell. It never fails after the blanks and never backtracks into them: linear time."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters except tab and line ends, and overrides of the direction of text."""


Value = str | float | int | bool | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, the type of its values, and how a value is found."""

    name: str
    kind: type[str] | type[float] | type[int] | type[bool]
    value: Callable[[TestCase, Result], Value]


COLUMNS = (
    Column("case_id", str, lambda _, result: result.case_id),
    Column("case_name", str, lambda case, _: case.name),
    Column("input", str, lambda case, _: case.input),
    Column("actual_output", str, lambda case, _: case.actual_output),
    Column("metric", str, lambda _, result: result.metric),
    Column("spec", str, lambda _, result: result.spec),
    Column("status", str, lambda _, result: result.status),
    Column("score", float, lambda _, result: result.score),
    Column("low", float, lambda _, result: result.low),
    Column("high", float, lambda _, result: result.high),
    Column("label", str, lambda _, result: result.label),
    Column("threshold", float, lambda _, result: result.threshold),
    Column("higher_is_better", bool, lambda _, result: result.higher_is_better),
    Column("success", bool, lambda _, result: result.success),
    Column("skipped", bool, lambda _, result: result.skipped),
    Column("reason", str, lambda _, result: result.reason),
    Column("error", str, lambda _, result: result.error),
    Column("judge", str, lambda _, result: result.judge),
    Column("calls", int, lambda _, result: result.usage.calls),
    Column("input_tokens", int, lambda _, result: result.usage.input_tokens),
    Column("output_tokens", int, lambda _, result: result.usage.output_tokens),
    Column("cached_tokens", int, lambda _, result: result.usage.cached_tokens),
    Column("evaluation_cost", float, lambda _, result: result.evaluation_cost),
    Column("latency_ms", float, lambda _, result: result.latency_ms),
    Column("metadata", str, lambda _, result: json.dumps(result.metadata, default=repr)),
)


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
