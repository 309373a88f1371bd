"""A report as a flat table with one row for each result: the columns of CSV and Parquet."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from ragstone.case import TestCase
from ragstone.result import Result

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
