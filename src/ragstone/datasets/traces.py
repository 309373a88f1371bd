"""Traces as test cases: files of the OpenTelemetry Collector and of tracing tools, and spans in memory.

A test case needs all spans of its trace, which may be anywhere in a file. So the whole file is first copied into
a temporary file with an index by trace; memory holds the index and one trace at a time.

The modules that read traces are imported on first use, as most datasets are not traces.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ragstone.case import TestCase
from ragstone.datasets.files.json_elements import scan
from ragstone.datasets.files.source import Source, open_source
from ragstone.datasets.files.text import parse_lines
from ragstone.datasets.rows.row import BadRow
from ragstone.errors import BadDataset, UnknownName
from ragstone.traces.options import TraceOptions

if TYPE_CHECKING:
    from ragstone.traces.span import Record

LONGEST_LINE = 64 * 1024 * 1024
"""Most characters of a line: a batch of spans is longer than a row."""


class PlacedObject(NamedTuple):
    """A JSON object and its position, such as `line 7`."""

    place: str
    value: dict[str, Any]


def objects(source: Source, lists: Collection[str]) -> Iterator[PlacedObject | BadRow]:
    """Yield the objects of `source`, and a report in the place of each that cannot be read.

    The elements of the lists named in `lists` are objects of their own.
    """
    first = source.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    line, _, rest = first.partition(b"\n")
    one_per_line = line.rstrip().endswith(b"}") and (not rest.strip() or rest.lstrip().startswith(b"{"))
    too_long = not rest and len(first) > 1 and b"\n" not in first and first[:1] == b"{"
    if first[:1] == b"{" and (one_per_line or too_long):
        yield from parse_lines(source, LONGEST_LINE, _parse_object)
        return
    for entry in scan(source, lists, LONGEST_LINE):
        if isinstance(entry, BadRow):
            yield entry
            continue
        item, place = entry.element, f"line {entry.element.line}"
        found = (
            PlacedObject(place, item.value) if item.parsed else _parse_object(source.name, place, item.text)
        )
        if entry.name and isinstance(found, PlacedObject):
            found = found._replace(value={entry.name: [found.value]})
        yield found


def _parse_object(source: str, place: str, text: str) -> PlacedObject | BadRow:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        return BadRow(source, place, f"this JSON cannot be read: {error}.", "Export the traces again.")
    if not isinstance(value, dict):
        return BadRow(source, place, "a JSON object is expected.", "Export the traces again.")
    return PlacedObject(place, cast("dict[str, Any]", value))


_LIST_NAMES = ("resourceSpans", "resource_spans", "resourceLogs", "resource_logs", "data", "runs")


@dataclass(frozen=True)
class TraceDataset:
    """Traces with the options of their conversion; the result of `from_traces`.

    Attributes:
        source: a path, `-` for standard input, or spans.
        options: options of the conversion to test cases.
        format: the tool that wrote the file; None: detected from its content.
    """

    source: object
    options: TraceOptions = field(default_factory=TraceOptions)
    format: str | None = None


def from_traces(
    source: object,
    *,
    unit: str = "trace",
    retrieval_tools: Iterable[str] = (),
    format: str | None = None,  # noqa: A002  (what users call it)
    user_salt: str | None = None,
) -> TraceDataset:
    """Return traces as a dataset that `evaluate` and `load_dataset` take.

    Both also take the path of a file of traces, or spans, directly; this function adds options.

    Args:
        source: a file: OTLP/JSON, one request a line or one document, or an export of Phoenix, Langfuse, MLflow or
            LangSmith; `-` for standard input. Or an iterable of `ReadableSpan` or `Span` objects.
        unit: what one test case is: `trace`; `session`, all traces of a session id as one conversation; `span:NAME`,
            every span of that name.
        retrieval_tools: names of tools whose results are retrieved passages, as in agentic retrieval.
        format: `otlp`, `phoenix`, `langfuse`, `mlflow` or `langsmith`; None: detected from the file's content.
        user_salt: secret with which users' ids are hashed into `metadata.user`; without it they are left out.

    Raises:
        BadOption: the unit is invalid.
        UnknownName: there is no such format.
    """
    from ragstone.traces.formats import FORMATS  # noqa: PLC0415  (only for traces)

    if format is not None and format not in FORMATS:
        raise UnknownName("trace format", format, FORMATS)
    return TraceDataset(source, TraceOptions(unit, tuple(retrieval_tools), user_salt), format)


def rows(source: Source) -> Iterator[TestCase | BadRow]:
    """Yield a test case for each trace of a file."""
    return _record_cases(_file_records(source, None), TraceOptions(), source.name)


def trace_rows_of(source: object, name: str) -> Iterator[TestCase | BadRow] | None:
    """Return the test cases of a dataset of traces or of spans in memory; None if the source holds rows."""
    if not isinstance(source, TraceDataset):
        return _record_cases(_span_records(source), TraceOptions(), name) if _holds_spans(source) else None
    origin = source.source
    if isinstance(origin, str | PathLike):
        opened = open_source(fspath(cast("str | PathLike[str]", origin)))
        return _record_cases(_file_records(opened, source.format), source.options, opened.name)
    return _record_cases(_span_records(origin), source.options, name)


def _holds_spans(source: object) -> bool:
    if isinstance(source, dict):
        return False
    from ragstone.traces.readable_span import is_readable_span  # noqa: PLC0415  (only for traces)
    from ragstone.traces.span import Span, SpanLog  # noqa: PLC0415  (only for traces)

    items = cast("list[object]", source) if isinstance(source, list | tuple) else []
    first: object = items[0] if items else cast("object", source)
    return isinstance(first, Span | SpanLog) or is_readable_span(first)


def _span_records(source: object) -> "Iterator[Record]":
    from ragstone.traces.readable_span import is_readable_span, read_span  # noqa: PLC0415  (only for traces)
    from ragstone.traces.span import Span, SpanLog  # noqa: PLC0415  (only for traces)

    items = cast("Iterable[object]", source if isinstance(source, Iterable) else [source])
    for item in items:
        if isinstance(item, Span | SpanLog):
            yield item
        elif is_readable_span(item):
            yield read_span(item)
        else:
            raise BadDataset(
                f"A span is expected, not {type(item).__name__}. Give ReadableSpan objects or a path."
            )


def _file_records(source: Source, form: str | None) -> "Iterator[Record | BadRow]":
    from ragstone.traces.formats import FORMATS, read_object  # noqa: PLC0415  (only for traces)

    for entry in objects(source, _LIST_NAMES):
        if isinstance(entry, BadRow):
            yield entry
            continue
        records = read_object(entry.value, form)
        if records is None:
            keys = ", ".join(repr(name) for name in list(entry.value)[:8]) or "nothing"
            problem = f"an object with {keys} is not a trace in a known format."
            yield BadRow(source.name, entry.place, problem, f"Known formats: {', '.join(FORMATS)}.")
            continue
        for record in records:  # a generator: one object may hold many spans
            if isinstance(record, str):
                yield BadRow(source.name, entry.place, f"{record}.", "Send the span again.")
            else:
                yield record


def _record_cases(
    records: "Iterable[Record | BadRow]", options: TraceOptions, name: str
) -> Iterator[TestCase | BadRow]:
    from ragstone.traces.cases import UnreadableTrace, trace_cases  # noqa: PLC0415  (only for traces)
    from ragstone.traces.spool import RecordSpool  # noqa: PLC0415  (only for traces)

    with RecordSpool(by_session=options.unit == "session") as spool:
        has_records = False
        for record in records:
            if isinstance(record, BadRow):
                yield record
            else:
                spool.add(record)
                has_records = True
        has_cases = False
        for group in spool.groups():
            for case in trace_cases(group, options):
                has_cases = True
                yield (
                    BadRow(name, case.place, case.problem, case.instead)
                    if isinstance(case, UnreadableTrace)
                    else case
                )
    if has_records and not has_cases:
        problem = f"no trace contains a unit {options.unit!r} in a known convention."
        yield BadRow(
            name, "every trace", problem, "Instrument the application's calls to models and retrievers."
        )
