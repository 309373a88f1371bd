"""Feedback in spans: of OpenInference on the span and on a carrier, of OpenTelemetry's event; by people or not."""

from typing import Any

from tests.testing.for_each import for_each
from tests.traces.otlp_requests import TRACE, otlp_span, pairs, request

from ragstone.traces import parse_request
from ragstone.traces.cases import trace_cases
from ragstone.traces.feedback import SpanFeedback, read_feedback

CHAIN = {"openinference.span.kind": "CHAIN", "input.value": "q?", "output.value": "a"}


def feedback(*spans: dict[str, Any], scope: str = "app") -> tuple[SpanFeedback, ...]:
    return read_feedback(parse_request(request(spans, scope=scope)).records)


def event(**values: object) -> dict[str, Any]:
    attributes = {f"gen_ai.evaluation.{name.replace('__', '.')}": value for name, value in values.items()}
    return {
        "timeUnixNano": "1700000000000000001",
        "name": "gen_ai.evaluation.result",
        "attributes": pairs(attributes),
    }


def test_openinference_annotations_are_read_with_their_targets() -> None:
    values = {
        **CHAIN,
        "session.id": "s1",
        "annotations.0.annotation.name": "thumbs",
        "annotations.0.annotation.label": "thumbs-down",
        "annotations.0.annotation.explanation": "It was wrong.",
        "annotations.0.annotation.annotator_kind": "HUMAN",
        "trace.evaluations.0.evaluation.name": "toxicity",
        "trace.evaluations.0.evaluation.score": 0.25,
        "trace.evaluations.0.evaluation.annotator_kind": "LLM",
        "session.annotations.0.annotation.name": "user feedback",
        "session.annotations.0.annotation.score": 4.0,
    }
    of_span, of_trace, of_session = feedback(otlp_span(1, "answer", values))
    assert (of_span.trace_id, of_span.span_id, of_span.thumb, of_span.value) == (
        TRACE,
        f"{1:016x}",
        "down",
        0.0,
    )
    assert (of_span.explanation, of_span.is_by_people()) == ("It was wrong.", True)
    assert (of_trace.trace_id, of_trace.span_id, of_trace.value, of_trace.is_by_people()) == (
        TRACE,
        "",
        0.25,
        False,
    )
    assert (of_session.trace_id, of_session.session, of_session.is_by_people()) == ("", "s1", True)
    assert (of_session.score, of_session.value) == (4.0, None)  # no number from 0 to 1: shown, not counted


def test_carrier_span_feedback_belongs_to_the_linked_span() -> None:
    carrier = otlp_span(
        9,
        "feedback",
        {
            "openinference.span.kind": "EVALUATOR",
            "annotations.0.annotation.name": "correct",
            "annotations.0.annotation.score": 1,
            "annotations.0.annotation.annotator_kind": "HUMAN",
        },
        trace="f" * 32,
        links=[{"traceId": TRACE, "spanId": f"{1:016x}"}],
    )
    (found,) = feedback(carrier)
    assert (found.trace_id, found.span_id, found.value) == (TRACE, f"{1:016x}", 1.0)
    assert feedback({**carrier, "name": "ragstone.metric"}, scope="ragstone") == ()


@for_each(
    "name, label, people, thumb",
    [
        ("user_feedback", "thumbs up", True, "up"),
        ("User-Feedback", "👎", True, "down"),
        ("faithfulness", "good", False, "up"),
        ("my_survey", "rather fine", False, None),
    ],
)
def test_opentelemetry_events_are_human_feedback_by_name(
    name: str, label: str, people: object, thumb: str | None
) -> None:
    (found,) = feedback(otlp_span(1, "chat", CHAIN, events=[event(name=name, score__label=label)]))
    assert (found.name, found.thumb, found.is_by_people()) == (name, thumb, people)
    assert found.is_by_people([name])


def test_feedback_does_not_depend_on_span_order_or_repetition() -> None:
    spans = [
        otlp_span(
            number,
            "chat",
            CHAIN,
            events=[event(name="thumbs", score__value=0.5), event(name="thumbs", score__value=1.0)],
        )
        for number in (1, 2)
    ]
    assert feedback(*spans) == feedback(*reversed(spans), *spans)
    assert len(feedback(*spans)) == 4
    assert feedback(otlp_span(1, "chat", CHAIN)) == ()


@for_each(
    "value",
    ["1" + "0" * 400, "-" + "9" * 4_000, "1e999", "NaN", "Infinity", "true", "[1]", '{"a": 1}', "null"],
)
def test_odd_scores_are_no_scores(value: str) -> None:
    assessments = f'[{{"name": "x", "feedback": {{"value": {value}}}, "source": {{"source_type": "HUMAN"}}}}]'
    attributes = {"input.value": "q?", "output.value": "a", "mlflow.assessments": assessments}
    records = parse_request(request([otlp_span(1, "answer", attributes)])).records
    assert all(item.score in {None, 1.0} for item in read_feedback(records))
    assert len(list(trace_cases(records))) <= 1
