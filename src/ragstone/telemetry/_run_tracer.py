"""Makes spans of a run: run > case > metric, with an evaluation event for each result.

Events are emitted in the task that does the work. The metric's span therefore becomes the current one when the metric
starts, and judge calls and HTTP calls of that task find their parent.
"""

import asyncio
from contextvars import Token
from dataclasses import dataclass
from time import time_ns

from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import Link, Span, Status, StatusCode

from ragstone.case import TestCase
from ragstone.event import Event, MeasurementFinished, MeasurementStarted, RunFinished, RunStarted
from ragstone.metric_label import base_name
from ragstone.result import Result
from ragstone.run import Run
from ragstone.telemetry._evaluation_event import attributes_of, evaluated_context, record_evaluation
from ragstone.telemetry._instruments import Instruments


@dataclass(slots=True)
class _OpenSpan:
    """An open span, and the task in which it is the current one."""

    span: Span
    token: Token[Context] | None = None
    task: object = None


@dataclass(slots=True)
class _CaseSpan:
    """The span of a test case; `left` counts the metrics still to be measured."""

    span: Span
    left: int
    until: int = 0


class RunTracer:
    """Listener of one run."""

    def __init__(self, instruments: Instruments) -> None:
        """Record with these instruments."""
        self._instruments = instruments
        self._run: _OpenSpan | None = None
        self._metrics = 0
        self._cases: dict[int, _CaseSpan] = {}
        self._measurements: dict[tuple[int, int], _OpenSpan] = {}

    def __call__(self, event: Event) -> None:
        """Receive an event."""
        match event:
            case RunStarted(run=run):
                self._start_run(run)
            case MeasurementStarted():
                self._start_metric(event)
            case MeasurementFinished():
                self._end_metric(event)
            case RunFinished(complete=complete, why=why):
                self._end_run(complete=complete, why=why)
            case _:
                pass

    def _start_run(self, run: Run) -> None:
        plan = run.plan
        self._metrics = len(plan.metrics)
        attributes = {
            "ragstone.run.id": run.id,
            "ragstone.run.name": plan.name or "",
            "ragstone.dataset": plan.dataset or "",
            "ragstone.judge": plan.judge,
            "ragstone.metrics": list(plan.metrics),
        }
        self._run = self._open(self._instruments.tracer.start_span("ragstone.run", attributes=attributes))

    def _start_metric(self, event: MeasurementStarted) -> None:
        parent = self._case_span(event.case_index, event.case).span
        attributes = {"gen_ai.evaluation.name": base_name(event.spec), "ragstone.metric": event.spec}
        span = self._instruments.tracer.start_span(
            "ragstone.metric", context=trace.set_span_in_context(parent), attributes=attributes
        )
        self._measurements[event.case_index, event.metric_index] = self._open(span)

    def _case_span(self, index: int, case: TestCase) -> _CaseSpan:
        """Return the span of a test case; it is started with the first metric of the case."""
        if index not in self._cases:
            attributes = {"ragstone.case.id": case.id, "ragstone.case.name": case.name or ""}
            parent = trace.set_span_in_context(self._run.span) if self._run else None
            evaluated = trace.get_current_span(evaluated_context(case)).get_span_context()
            links = [Link(evaluated)] if evaluated.is_valid else []
            span = self._instruments.tracer.start_span(
                "ragstone.case", context=parent, attributes=attributes, links=links
            )
            self._cases[index] = _CaseSpan(span, self._metrics)
        return self._cases[index]

    def _end_metric(self, event: MeasurementFinished) -> None:
        opened = self._measurements.pop((event.case_index, event.metric_index), None)
        if opened is None:  # measured and recorded before the run was resumed
            return
        result = event.result
        _set_result_attributes(opened.span, result)
        record_evaluation(self._instruments, result, event.case, opened.span)
        self._close(opened)
        case = self._cases[event.case_index]
        case.left, case.until = case.left - 1, time_ns()
        if case.left == 0:
            self._cases.pop(event.case_index).span.end(case.until)

    def _end_run(self, *, complete: bool, why: str) -> None:
        """End the open spans: an interrupted run leaves metrics unmeasured."""
        for opened in self._measurements.values():
            opened.span.set_status(Status(StatusCode.ERROR, "not measured"))
            opened.span.end()
        for case in self._cases.values():
            case.span.end(case.until or None)
        if self._run is not None:
            self._run.span.set_attribute("ragstone.run.complete", complete)
            if not complete:
                self._run.span.set_status(Status(StatusCode.ERROR, why or "interrupted"))
            self._close(self._run)

    def _open(self, span: Span) -> _OpenSpan:
        """Make a span the current one of this task."""
        token = contexts.attach(trace.set_span_in_context(span))
        return _OpenSpan(span, token, _current_task())

    def _close(self, opened: _OpenSpan) -> None:
        if opened.token is not None and opened.task is _current_task():
            contexts.detach(opened.token)
        opened.span.end()


def _set_result_attributes(span: Span, result: Result) -> None:
    span.set_attributes(attributes_of(result))
    span.set_attribute("ragstone.status", result.status)
    span.set_attribute("ragstone.threshold", result.threshold)
    if result.error is not None:
        span.set_status(Status(StatusCode.ERROR, result.error))


def _current_task() -> object:
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None
