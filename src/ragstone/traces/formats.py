"""Formats of traces: detection of the tool that wrote a JSON object, and its spans."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, cast

from ragstone.errors import UnknownName
from ragstone.traces import exports
from ragstone.traces.otlp import is_request, parse_request
from ragstone.traces.shapes.values import MOST_DEPTH, is_deep
from ragstone.traces.span import Record

_DECODE = json.JSONDecoder().raw_decode


class TraceFormat(NamedTuple):
    """A format of traces.

    Attributes:
        fits: returns whether a decoded object has this format.
        records: yields the spans and log records of an object, and a message for each part that cannot be read.
        beginning: pattern that matches the text of an object; used if the text is cut off, or too long to be decoded.
    """

    fits: Callable[[Mapping[str, Any]], bool]
    records: Callable[[Mapping[str, Any]], Iterator[Record | str]]
    beginning: re.Pattern[str]


def _format(fits: Any, records: Any, beginning: str) -> TraceFormat:  # noqa: ANN401  (of a `TraceFormat`)
    return TraceFormat(fits, records, re.compile(beginning, re.DOTALL))


def _otlp(value: Mapping[str, Any]) -> Iterator[Record | str]:
    parsed = parse_request(value)
    yield from parsed.records
    yield from parsed.problems


FORMATS: dict[str, TraceFormat] = {
    "otlp": _format(is_request, _otlp, r'\{\s*"(resourceSpans|resource_spans|resourceLogs|resource_logs)"'),
    "phoenix": _format(exports.is_phoenix, exports.phoenix_records, r'.*"(context\.trace_id|span_kind)"\s*:'),
    "langfuse": _format(
        exports.is_langfuse,
        exports.langfuse_records,
        r'.*"(traceId|parentObservationId)"\s*:|\{\s*"trace"\s*:\s*\{',
    ),
    "mlflow": _format(
        exports.is_mlflow, exports.mlflow_records, r'\{\s*"info"\s*:\s*\{\s*"(trace_id|request_id)"'
    ),
    "langsmith": _format(exports.is_langsmith, exports.langsmith_records, r'.*"run_type"\s*:.*"trace_id"'),
}
"""Name → format, in the order in which they are tried."""


def format_of(value: object) -> str | None:
    """Return the name of the format of a decoded object; None if it is not a trace."""
    if not isinstance(value, dict):
        return None
    values = cast("dict[str, Any]", value)
    return next((name for name, trace_format in FORMATS.items() if trace_format.fits(values)), None)


_MAX_DECODED_VALUES = 5_000
"""Most values in a text that is decoded: empty objects take twenty times as much memory as their text."""


def detect_traces(head: str) -> bool:
    """Return, from the beginning of a text, whether it contains traces: JSON lines, an array, or one object."""
    text = head.lstrip("\ufeff \t\r\n")
    text = text[1:].lstrip() if text.startswith("[") else text
    if not text.startswith("{"):
        return False
    if sum(text.count(sign) for sign in ",[{") <= _MAX_DECODED_VALUES:
        with suppress(ValueError, RecursionError):
            return format_of(_DECODE(text)[0]) is not None
    return any(trace_format.beginning.match(text) for trace_format in FORMATS.values())


def read_object(value: Mapping[str, Any], name: str | None = None) -> Iterator[Record | str] | None:
    """Return the records of one decoded object, and a message for each part that cannot be read; None if no trace.

    `name` is its format, a key of `FORMATS`; detected if None.

    Raises:
        UnknownName: there is no such format.
    """
    if name is not None and name not in FORMATS:
        raise UnknownName("trace format", name, FORMATS)
    format_name = format_of(value) if name is None else name if FORMATS[name].fits(value) else None
    if format_name is None:
        return None
    if format_name != "otlp" and is_deep(value):  # values of OTLP have a limit of their own
        return iter([f"its values are nested more than {MOST_DEPTH} levels deep"])
    return FORMATS[format_name].records(value)
