"""View model of the page of a trace: its spans as a tree, the passages that the model saw, those that were cut."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragstone.case import TestCase
from ragstone.dashboard.views.runs import picked
from ragstone.dashboard.views.texts import json_text
from ragstone.store.queue.feedback import feedback_on
from ragstone.store.queue.overview import StoredTrace, TraceScore
from ragstone.store.queue.trace_queue import TraceQueue
from ragstone.traces.cases import TraceOptions, UnreadableTrace, trace_cases
from ragstone.traces.feedback import read_feedback
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
    """A span as a line of the tree: `start` and `share` are parts of the trace's time, tokens went in and came out."""

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

    `more` counts the spans that are not shown; `cut` are passages that were retrieved and that the answering model did
    not see; `problem` says why it gives no test case.
    """

    rows: tuple[SpanRow, ...]
    more: int
    case: TestCase | None
    cut: tuple[str, ...]
    problem: str


def trace_view(trace: StoredTrace, options: TraceOptions) -> TraceView:
    """Return a stored trace as its page shows it."""
    rows = _with_scores(list(_rows(merge_records(trace.records))), trace)
    case, problem = trace_case(trace, options)
    about: dict[str, Any] = (case.metadata or {}).get("trace", {}) if case else {}
    cut = tuple(str(item.get("text", "")) for item in about.get("cut", ()))
    return TraceView(tuple(rows[:_MAX_SPANS]), max(0, len(rows) - _MAX_SPANS), case, cut, problem)


def trace_case(trace: StoredTrace, options: TraceOptions) -> tuple[TestCase | None, str]:
    """Return the test case of a stored trace, or why it gives none."""
    problem = ""
    for item in trace_cases(trace.records, options):
        if isinstance(item, UnreadableTrace):
            problem = f"{item.problem} {item.instead}"
        elif trace.trace_id in item.id:
            return item, ""
    return None, problem or trace.error


def _with_scores(rows: Sequence[tuple[str, SpanRow]], trace: StoredTrace) -> list[SpanRow]:
    """Return the rows of spans, given with their ids, with the scores of each; those of no span are at the first."""
    first = rows[0][0] if rows else ""
    scores: dict[str, list[TraceScore]] = {}
    for score in trace.scores:
        unit = score.unit.removeprefix(trace.trace_id)
        at = next((span for span, _ in rows if span and unit.endswith(span)), first)
        scores.setdefault(at, []).append(score)
    return [replace(row, scores=tuple(scores.get(span, ()))) for span, row in rows]


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
    values = (span.attributes.get(name) for name in names)
    return next((value for value in values if isinstance(value, int) and not isinstance(value, bool)), None)


def _attributes(span: Span) -> Iterator[tuple[str, str]]:
    found = [*span.attributes.items()]
    found += [
        (f"{event.name}: {name}", value) for event in span.events for name, value in event.attributes.items()
    ]
    for name, value in found[:_MAX_ATTRIBUTES]:
        text = json_text(value)
        yield name, text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}…"
    if len(found) > _MAX_ATTRIBUTES:
        yield "…", f"{len(found) - _MAX_ATTRIBUTES:,} more"


@dataclass(frozen=True, slots=True)
class FeedbackRow:
    """A piece of feedback on a trace, a span or a session.

    It is `by` people, or by `LLM` or `CODE` where another tool evaluated. What came with spans has no time of receipt.
    """

    name: str
    by: str
    of: str
    thumb: str
    score: float | None
    label: str
    comment: str
    correction: str
    at: float | None


def trace_feedback(queue: TraceQueue, trace: StoredTrace) -> list[FeedbackRow]:
    """Return the feedback on a trace, its spans and session: separately sent first, the latest first, then the rest."""
    sent = feedback_on(queue.engine, trace.trace_id, {record.span_id for record in trace.records})
    came = read_feedback(trace.records)
    return [
        *(
            FeedbackRow(
                by="people",
                of=_feedback_target(item.span_id, of_session=item.of_session),
                at=item.received,
                **picked(item, "name", "thumb", "score", "label", "comment", "correction"),
            )
            for item in sent
            if item.origin != trace.trace_id
        ),
        *(
            FeedbackRow(
                by="people" if item.is_by_people() else item.annotator_kind or "unknown",
                of=_feedback_target(item.span_id, of_session=bool(item.session)),
                thumb=item.thumb or "",
                comment=item.explanation,
                correction="",
                at=None,
                **picked(item, "name", "score", "label"),
            )
            for item in came
            if item.trace_id in ("", trace.trace_id)
        ),
    ]


def _feedback_target(span_id: str, *, of_session: bool) -> str:
    return "session" if of_session else f"span {span_id[:8]}" if span_id else "trace"
