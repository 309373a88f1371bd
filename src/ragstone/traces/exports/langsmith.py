"""LangSmith: runs in the format of `Client.list_runs` and bulk exports, each with its parent.

Source: langsmith-sdk, schema `Run`. A run without `trace_id` is not a trace and is read as a dataset row.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ragstone.traces.exports.times import nanoseconds
from ragstone.traces.otlp import read_text
from ragstone.traces.shapes.values import as_list, as_mapping, as_text, parse_json
from ragstone.traces.span import Record, Span

_RUN_FIELDS = (
    "inputs",
    "outputs",
    "tags",
    "prompt_tokens",
    "completion_tokens",
    "total_cost",
    "reference_outputs",
    "reference_example_id",
    "feedback_stats",
)


def fits(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a run of a trace, or a page of runs."""
    page = as_list(value.get("runs"))
    if page:
        return fits(as_mapping(page[0]))
    return "run_type" in value and bool(value.get("trace_id"))


def records(value: Mapping[str, Any]) -> Iterator[Record | str]:
    """Yield the runs of an object as spans."""
    for item in as_list(value.get("runs")) or [value]:
        run = as_mapping(item)
        trace, identifier = as_text(run.get("trace_id")), as_text(run.get("id"))
        if trace is None or identifier is None:
            yield f"run {read_text(run.get('name'))[:80]!r}: it has no id and trace_id"
            continue
        start = nanoseconds(run.get("start_time"))
        extra = as_mapping(run.get("extra"))
        attributes = {
            f"langsmith.{name}": parse_json(run[name]) for name in _RUN_FIELDS if run.get(name) is not None
        }
        cost = attributes.get("langsmith.total_cost")
        if isinstance(cost, str):
            attributes["langsmith.total_cost"] = _number(cost)
        yield Span(
            trace,
            identifier,
            as_text(run.get("parent_run_id")),
            read_text(run.get("name")),
            start,
            nanoseconds(run.get("end_time")) or start,
            as_text(run.get("error")),
            {
                "langsmith.span.kind": read_text(run.get("run_type")),
                "langsmith.metadata": as_mapping(extra.get("metadata")),
                **attributes,
            },
            scope="langsmith",
        )


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
