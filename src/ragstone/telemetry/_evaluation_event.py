"""One `gen_ai.evaluation.result` event for each result, and the counters of results.

The conventions attach the event to the evaluated operation: where a test case's metadata has the `traceparent` of the
interaction, it is attached there, else to the metric's span; `response_id` becomes `gen_ai.response.id`.
"""

from typing import Any

from opentelemetry import propagate, trace
from opentelemetry._logs import SeverityNumber
from opentelemetry.context import Context
from opentelemetry.trace import Span

from ragstone.case import TestCase
from ragstone.result import Result
from ragstone.telemetry._instruments import Instruments

EVENT = "gen_ai.evaluation.result"


def attributes_of(result: Result) -> dict[str, Any]:
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


def record_evaluation(instruments: Instruments, result: Result, case: TestCase, span: Span) -> None:
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
    attributes = {**attributes_of(result), **_response_attributes(case)}
    if instruments.logger is None:  # for a program that exports only traces, the event is added to the span
        span.add_event(EVENT, attributes)
        return
    instruments.logger.emit(
        event_name=EVENT,
        severity_number=SeverityNumber.INFO,
        context=_event_context(case, span),
        attributes=attributes,
    )


def evaluated_context(case: TestCase) -> Context:
    """Return the trace context of the evaluated interaction, from `traceparent` in the test case's metadata."""
    value = case.metadata.get("traceparent")
    return propagate.extract({"traceparent": value}, Context()) if isinstance(value, str) else Context()


def _event_context(case: TestCase, span: Span) -> Context:
    context = evaluated_context(case)
    evaluated = trace.get_current_span(context).get_span_context()
    return context if evaluated.is_valid else trace.set_span_in_context(span)


def _response_attributes(case: TestCase) -> dict[str, Any]:
    value = case.metadata.get("response_id")
    return {"gen_ai.response.id": value} if isinstance(value, str) else {}
