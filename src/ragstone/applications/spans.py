"""The spans of an application's call, joined by the trace context that the call was sent.

An application that emits OpenTelemetry spans continues the trace of the call: `traceparent` is a header of a URL's
request, the variable TRACEPARENT of a command, and the current context of a function. Its spans say which passages it
retrieved, which tools it called, and what that took.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic
from typing import Any, Protocol

from ragstone.applications.call import ApplicationCall
from ragstone.applications.conversation import ANSWER_FIELDS
from ragstone.case import TestCase
from ragstone.plugins import import_extra
from ragstone.traces.cases import trace_fields
from ragstone.traces.readable_span import read_span
from ragstone.traces.span import Record, Span

_FROM_SPANS = ("tokens", "cost", "model", "trace")
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 0.5


class SpanSource(Protocol):
    """Where the spans of a trace arrive.

    Attributes:
        patience: seconds that are waited for the spans of a call after its answer.
    """

    patience: float

    def expect(self, trace_id: str) -> None:
        """Learn of a trace before its first span."""
        ...

    async def records(self, trace_id: str) -> Sequence[Record]:
        """Return the records of a trace that have arrived."""
        ...

    def forget(self, trace_id: str) -> None:
        """Learn that nothing more is asked of a trace."""
        ...


async def traced(
    call: ApplicationCall, answer: Callable[[ApplicationCall], Awaitable[TestCase]], source: SpanSource
) -> TestCase:
    """Return the answer to a call, which is sent a new trace context, joined with the spans of that trace.

    Each field that the reply left out is that of the spans, and so are tokens, cost and model. The metadata has the
    `traceparent` of the call, and `trace_problem` where no span could be joined.
    """
    trace_id = secrets.token_hex(16)
    traceparent = f"00-{trace_id}-{secrets.token_hex(8)}-01"
    source.expect(trace_id)
    try:
        return await _joined(await answer(replace(call, traceparent=traceparent)), traceparent, source)
    finally:
        source.forget(trace_id)


async def _joined(found: TestCase, traceparent: str, source: SpanSource) -> TestCase:
    _, trace_id, parent, _ = traceparent.split("-")
    records = await _arrived(source, trace_id, parent)
    fields = trace_fields(records)
    metadata = {"trace_id": trace_id, **found.metadata, "traceparent": traceparent}
    if not fields:
        problem = f"no span of the trace has come within {source.patience:g} s of the answer"
        return found.model_copy(update={"metadata": {**metadata, "trace_problem": problem}})
    update = {
        name: value
        for name in ANSWER_FIELDS
        if getattr(found, name) is None and (value := fields.get(name)) is not None
    }
    told: dict[str, Any] = fields["metadata"]
    details = ("retrieval_context_details",) if "retrieval_context" in update else ()
    kept = {name: told[name] for name in (*_FROM_SPANS, *details) if name in told}
    answered = TestCase.model_validate({"input": found.input, **update})
    return found.model_copy(
        update={**{name: getattr(answered, name) for name in update}, "metadata": {**kept, **metadata}}
    )


async def _arrived(source: SpanSource, trace_id: str, parent: str) -> Sequence[Record]:
    """Return the records of a trace once the span that continues the call has ended, or the patience is over."""
    deadline, pause = monotonic() + source.patience, _FIRST_PAUSE
    while True:
        records = await source.records(trace_id)
        ended = any(isinstance(record, Span) and record.parent_id == parent for record in records)
        if ended or monotonic() >= deadline:
            return records
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


class SdkSpans:
    """The spans of OpenTelemetry's SDK in this process. It is a span processor of the tracer provider."""

    patience = 1.0

    def __init__(self) -> None:
        """Find OpenTelemetry."""
        self._trace = import_extra("Reading the spans of a function", "otel", "opentelemetry.trace")
        self._provider: object = None
        self._records: dict[str, list[Record]] = {}

    def expect(self, trace_id: str) -> None:
        """Collect the spans of a trace."""
        self._records[trace_id] = []
        provider: Any = self._trace.get_tracer_provider()
        if provider is not self._provider and hasattr(provider, "add_span_processor"):
            provider.add_span_processor(self)
            self._provider = provider

    async def records(self, trace_id: str) -> Sequence[Record]:
        """Return the spans of a trace that have ended."""
        return tuple(self._records.get(trace_id, ()))

    def forget(self, trace_id: str) -> None:
        """Collect no more spans of a trace."""
        self._records.pop(trace_id, None)

    def on_start(self, span: object, parent_context: object = None) -> None:
        """Do nothing: spans are read when they end."""

    def _on_ending(self, span: object) -> None:
        """Do nothing, likewise."""

    def on_end(self, span: Any) -> None:  # noqa: ANN401  (a ReadableSpan)
        """Keep a span of an expected trace."""
        records = self._records.get(f"{span.get_span_context().trace_id:032x}")
        if records is not None:
            records.append(read_span(span))

    def shutdown(self) -> None:
        """Drop all spans."""
        self._records.clear()

    def force_flush(self, timeout_millis: int = 0) -> bool:
        """Return that nothing is pending."""
        del timeout_millis
        return True


@contextmanager
def current_trace(traceparent: str | None) -> Generator[None]:
    """Make a trace context the current one of OpenTelemetry in this process; None leaves it as it is."""
    if traceparent is None:
        yield
        return
    context = import_extra("Tracing a function", "otel", "opentelemetry.context")
    propagation = import_extra("Tracing a function", "otel", "opentelemetry.trace.propagation.tracecontext")
    extracted = propagation.TraceContextTextMapPropagator().extract({"traceparent": traceparent})
    token = context.attach(extracted)
    try:
        yield
    finally:
        context.detach(token)
