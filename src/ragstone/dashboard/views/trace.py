"""View model of the page of a trace: its spans as a tree, the passages that the model saw, those that were cut."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ragstone.case import TestCase
from ragstone.store.queue.overview import StoredTrace, TraceScore
from ragstone.traces.cases import TraceOptions, UnreadableTrace, trace_cases
from ragstone.traces.kinds import kind_of
from ragstone.traces.span import Span, merge_records

_MAX_SPANS = 500
_MAX_DEPTH = 12
_MAX_ATTRIBUTES, _MAX_CHARACTERS = 60, 4_000
_INPUT_TOKENS = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt")
_OUTPUT_TOKENS = (
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
)


@dataclass(frozen=True, slots=True)
class SpanRow:
    """A span as a line of the tree.

    Attributes:
        name: its name.
        kind: which kind of operation it is.
        depth: how many spans it is inside of, at most 12.
        start: share of the trace's time that had passed when it began.
        share: share of the trace's time that it took.
        milliseconds: how long it took.
        error: what went wrong; empty where nothing did.
        tokens: tokens that went in and came out, as far as the span says; None where it does not.
        attributes: name and text of its attributes, then of its events: messages, input, output, model, cost.
        scores: what watches measured of it; scores of the whole trace, or of its session, are at the first span.
    """

    name: str
    kind: str
    depth: int
    start: float
    share: float
    milliseconds: float
    error: str
    tokens: tuple[int | None, int | None]
    attributes: tuple[tuple[str, str], ...]
    scores: tuple[TraceScore, ...] = ()


@dataclass(frozen=True, slots=True)
class TraceView:
    """A trace as its page shows it.

    Attributes:
        rows: its spans, each below the one that it is part of.
        more: spans that are not shown.
        question: what was asked; empty where unknown.
        answer: what was answered, likewise.
        seen: passages that the answering model saw.
        cut: passages that were retrieved and not seen.
        problem: why it gives no test case; empty where it gives one.
    """

    rows: tuple[SpanRow, ...]
    more: int
    question: str
    answer: str
    seen: tuple[str, ...]
    cut: tuple[str, ...]
    problem: str


def trace_view(trace: StoredTrace, options: TraceOptions) -> TraceView:
    """Return a stored trace as its page shows it."""
    spans = merge_records(trace.records)
    rows = list(_with_scores(_rows(spans), trace))
    case, problem = trace_case(trace, options)
    trace_metadata: dict[str, Any] = (case.metadata or {}).get("trace", {}) if case else {}
    return TraceView(
        tuple(rows[:_MAX_SPANS]),
        max(0, len(rows) - _MAX_SPANS),
        case.input if case else "",
        (case.actual_output or "") if case else "",
        tuple((case.retrieval_context or ()) if case else ()),
        tuple(str(item.get("text", "")) for item in trace_metadata.get("cut", ())),
        problem,
    )


def trace_case(trace: StoredTrace, options: TraceOptions) -> tuple[TestCase | None, str]:
    """Return the test case of a stored trace, or why it gives none."""
    problem = ""
    for item in trace_cases(trace.records, options):
        if isinstance(item, UnreadableTrace):
            problem = f"{item.problem} {item.instead}"
        elif trace.trace_id in item.id:
            return item, ""
    return None, problem or trace.error


def _with_scores(spans: Iterable[tuple[str, SpanRow]], trace: StoredTrace) -> Iterator[SpanRow]:
    """Yield the rows of spans, given with their ids, with the scores of each."""
    rows = list(spans)
    first = rows[0][0] if rows else ""
    units = [score.unit.removeprefix(trace.trace_id) for score in trace.scores]
    at = [next((span for span, _ in rows if span and unit.endswith(span)), first) for unit in units]
    for span_id, row in rows:
        own = [score for score, span in zip(trace.scores, at, strict=True) if span == span_id]
        yield replace(row, scores=tuple(own))


def _rows(spans: tuple[Span, ...]) -> Iterator[tuple[str, SpanRow]]:
    """Yield ids and rows of spans in the order of a tree, by start.

    Those without a known parent, or in a cycle, are roots.
    """
    span_ids = {span.span_id for span in spans}
    children: dict[str, list[Span]] = {}
    for span in spans:
        children.setdefault(span.parent_id if span.parent_id in span_ids else "", []).append(span)
    start_ns = min((span.start_ns for span in spans), default=0)
    duration_ns = max((span.end_ns for span in spans), default=0) - start_ns
    done: set[str] = set()
    for root in (*children.get("", ()), *spans):
        stack = [(root, 0)]
        while stack:
            span, depth = stack.pop()
            if span.span_id not in done:
                done.add(span.span_id)
                yield span.span_id, _row(span, depth, start_ns, duration_ns)
                stack += [(child, depth + 1) for child in reversed(children.get(span.span_id, []))]


def _row(span: Span, depth: int, trace_start_ns: int, trace_ns: int) -> SpanRow:
    span_ns = max(0, span.end_ns - span.start_ns)
    return SpanRow(
        span.name,
        kind_of(span),
        min(depth, _MAX_DEPTH),
        (span.start_ns - trace_start_ns) / trace_ns if trace_ns > 0 else 0.0,
        span_ns / trace_ns if trace_ns > 0 else 1.0,
        span_ns / 1e6,
        span.error or "",
        (_first_count(span, _INPUT_TOKENS), _first_count(span, _OUTPUT_TOKENS)),
        tuple(_attributes(span)),
    )


def _first_count(span: Span, names: tuple[str, ...]) -> int | None:
    """Return the first of some attributes that is a whole number."""
    values = (span.attributes.get(name) for name in names)
    return next((value for value in values if isinstance(value, int) and not isinstance(value, bool)), None)


def _attributes(span: Span) -> Iterator[tuple[str, str]]:
    """Yield the first attributes of a span and of its events as text; a long text is cut."""
    found = [*span.attributes.items()]
    found += [
        (f"{event.name}: {name}", value) for event in span.events for name, value in event.attributes.items()
    ]
    for name, value in found[:_MAX_ATTRIBUTES]:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=repr)
        yield name, text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}…"
    if len(found) > _MAX_ATTRIBUTES:
        yield "…", f"{len(found) - _MAX_ATTRIBUTES:,} more"
