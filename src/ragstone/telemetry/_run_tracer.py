"""Makes spans of a run: run > case > metric, with a `gen_ai.evaluation.result` event and counters for each result.

Events are emitted in the task that does the work. The metric's span therefore becomes the current one when the metric
starts, and judge calls and HTTP calls of that task find their parent. The conventions attach the event to the evaluated
operation: where a test case's metadata has the `traceparent` of the interaction, it is attached there, else to the
metric's span; `response_id` becomes `gen_ai.response.id`.
"""

import asyncio
from contextvars import Token
from dataclasses import dataclass
from time import time_ns
from typing import Any

from opentelemetry import context as contexts
from opentelemetry import propagate, trace
from opentelemetry._logs import SeverityNumber
from opentelemetry.context import Context
from opentelemetry.trace import Link, Span, Status, StatusCode

from ragstone.case import TestCase
from ragstone.event import Event, MeasurementFinished, MeasurementStarted, RunFinished, RunStarted
from ragstone.metric_label import base_name
from ragstone.result import Result
from ragstone.run import Run
from ragstone.telemetry._instruments import Instruments

EVENT = "gen_ai.evaluation.result"


@dataclass(slots=True)
class _OpenSpan:
    """An open span, and the task in which it is the current one."""

    span: Span
    token: Token[Context]
    task: object


@dataclass(slots=True)
class _CaseSpan:
    """The span of a test case; `left` counts the metrics still to be measured."""

    span: Span
    left: int
    until: int = 0


class RunTracer:
    """Listener of one run."""

    def __init__(self, instruments: Instruments) -> None:
        self._instruments = instruments
        self._run: _OpenSpan | None = None
        self._metrics = 0
        self._cases: dict[int, _CaseSpan] = {}
        self._measurements: dict[tuple[int, int], _OpenSpan] = {}

    def __call__(self, event: Event) -> None:
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
            evaluated = _evaluated_span(case)
            links = [] if evaluated is None else [Link(evaluated.get_span_context())]
            span = self._instruments.tracer.start_span(
                "ragstone.case", context=parent, attributes=attributes, links=links
            )
            self._cases[index] = _CaseSpan(span, self._metrics)
        return self._cases[index]

    def _end_metric(self, event: MeasurementFinished) -> None:
        opened = self._measurements.pop((event.case_index, event.metric_index), None)
        if opened is None:  # measured and recorded before the run was resumed
            return
        result, span = event.result, opened.span
        span.set_attributes(_attributes_of(result))
        span.set_attribute("ragstone.status", result.status)
        span.set_attribute("ragstone.threshold", result.threshold)
        if result.error is not None:
            span.set_status(Status(StatusCode.ERROR, result.error))
        _record_evaluation(self._instruments, result, event.case, span)
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
        token = contexts.attach(trace.set_span_in_context(span))
        return _OpenSpan(span, token, _current_task())

    def _close(self, opened: _OpenSpan) -> None:
        if opened.task is _current_task():
            contexts.detach(opened.token)
        opened.span.end()


def _attributes_of(result: Result) -> dict[str, Any]:
    """Return the attributes of a result; a failure has an error type and no score."""
    attributes: dict[str, Any] = {"gen_ai.evaluation.name": result.metric}
    if result.score is not None:
        attributes["gen_ai.evaluation.score.value"] = result.score
        attributes["gen_ai.evaluation.score.label"] = result.status or "no_threshold"
    if result.reason:
        attributes["gen_ai.evaluation.explanation"] = result.reason
    if result.error is not None:
        attributes["error.type"] = result.error.partition(":")[0]
    return attributes


def _record_evaluation(instruments: Instruments, result: Result, case: TestCase, span: Span) -> None:
    """Count the result and emit its event; a skipped one is counted only."""
    by_metric = {"gen_ai.evaluation.name": result.metric}
    instruments.metric_duration.record(result.latency_ms / 1000, by_metric)
    instruments.results.add(
        1, {**by_metric, "gen_ai.evaluation.score.label": result.status or "no_threshold"}
    )
    if result.error is not None:
        instruments.failures.add(1, {**by_metric, "error.type": result.error.partition(":")[0]})
    if result.skipped:
        return
    attributes, response_id = _attributes_of(result), case.metadata.get("response_id")
    if isinstance(response_id, str):
        attributes["gen_ai.response.id"] = response_id
    if instruments.logger is None:  # for a program that exports only traces, the event is added to the span
        span.add_event(EVENT, attributes)
        return
    instruments.logger.emit(
        event_name=EVENT,
        severity_number=SeverityNumber.INFO,
        context=trace.set_span_in_context(_evaluated_span(case) or span),
        attributes=attributes,
    )


def _evaluated_span(case: TestCase) -> Span | None:
    """Return the span of the evaluated interaction, from `traceparent` in the test case's metadata, if it is valid."""
    value = case.metadata.get("traceparent")
    if not isinstance(value, str):
        return None
    span = trace.get_current_span(propagate.extract({"traceparent": value}, Context()))
    return span if span.get_span_context().is_valid else None


def _current_task() -> object:
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None
