"""Feedback in a watch: kept as it arrives with spans, and counted in the window with its interval."""

import asyncio
from collections.abc import Iterator

import pytest
from tests.traces.otlp_requests import otlp_span, request
from tests.watch.test_worker import answered, plan_of

from ragstone.store.queue.feedback import Feedback, feedback_on, put_feedback
from ragstone.store.queue.trace_queue import TraceQueue, open_queue
from ragstone.traces import parse_request
from ragstone.watch.feedback import FeedbackAgreement, feedback_agreement, feedback_figures
from ragstone.watch.worker import TraceWorker, work

HUMAN = {"annotations.0.annotation.name": "thumbs", "annotations.0.annotation.annotator_kind": "HUMAN"}


@pytest.fixture
def queue(store_url: str) -> Iterator[TraceQueue]:
    found = open_queue(store_url)
    yield found
    found.close()


def test_feedback_figures_have_interval_and_agreement_with_judge(queue: TraceQueue) -> None:
    plan = plan_of()
    for number in range(1, 13):
        queue.put(answered(number, "yes" if number % 2 else "no"))
        put_feedback(
            queue.engine,
            Feedback("user_feedback", f"{number:032x}", thumb="up" if number % 3 else "down"),
        )
    put_feedback(queue.engine, Feedback("user_feedback", f"{1:032x}", comment="Well."))
    put_feedback(queue.engine, Feedback("stars", f"{1:032x}", score=0.25))
    put_feedback(queue.engine, Feedback("user_feedback", f"{99:032x}", thumb="up"))  # its trace never came
    asyncio.run(work(TraceWorker(queue, plan), stop=None))
    stars, thumbs = feedback_figures(queue, plan)
    assert (stars.mean, stars.interval, stars.n) == (0.25, None, 1)
    assert (thumbs.n, thumbs.up, thumbs.down, thumbs.comments) == (13, 9, 4, 1)
    assert thumbs.mean == pytest.approx(9 / 13)
    assert thumbs.interval is not None
    assert 0.3 < thumbs.interval.low < 9 / 13 < thumbs.interval.high < 0.95
    (crossed,) = feedback_agreement(queue, plan)
    assert crossed == FeedbackAgreement("pattern_match(pattern='yes')", 4, 3, 4, 2)
    assert feedback_figures(queue, plan, until=1.0) == feedback_agreement(queue, plan, until=1.0) == []


def test_several_thumbs_on_one_trace_count_as_one_cluster(queue: TraceQueue) -> None:
    for number in range(1, 3):
        for person in range(20):
            one = Feedback("thumbs", f"{number:032x}", thumb="up", author=f"p{person}")
            put_feedback(queue.engine, one)
    (found,) = feedback_figures(queue, plan_of())
    assert (found.n, found.interval) == (40, None)  # two traces are too few to say


def test_span_feedback_is_stored_once_when_the_trace_is_judged_again(queue: TraceQueue) -> None:
    plan = plan_of()
    queue.put(answered(1, "yes", **HUMAN, **{"annotations.0.annotation.label": "down"}))
    asyncio.run(work(TraceWorker(queue, plan), stop=None))
    assert [one.thumb for one in feedback_on(queue.engine, f"{1:032x}")] == ["down"]
    late = otlp_span(2, "more", {"openinference.span.kind": "CHAIN"}, parent=1, trace=f"{1:032x}")
    queue.put(parse_request(request([late])).records)
    asyncio.run(work(TraceWorker(queue, plan), stop=None))
    (figures,) = feedback_figures(queue, plan)
    assert (figures.name, figures.n, figures.down) == ("thumbs", 1, 1)


def test_human_carrier_feedback_is_stored_and_llm_scores_are_not(queue: TraceQueue) -> None:
    values = {"openinference.span.kind": "EVALUATOR", **HUMAN, "annotations.0.annotation.score": 0.5}
    other = {
        "openinference.span.kind": "EVALUATOR",
        "evaluations.0.evaluation.name": "toxicity",
        "evaluations.0.evaluation.score": 0.1,
        "evaluations.0.evaluation.annotator_kind": "LLM",
    }
    links = [{"traceId": f"{1:032x}", "spanId": f"{1:016x}"}]
    spans = [
        otlp_span(8, "carrier", values, trace="e" * 32, links=links),
        otlp_span(9, "carrier", other, trace="f" * 32, links=links),
    ]
    queue.put(parse_request(request(spans)).records)
    asyncio.run(work(TraceWorker(queue, plan_of()), stop=None))
    (kept,) = feedback_on(queue.engine, f"{1:032x}")
    assert (kept.source, kept.span_id, kept.score) == ("trace", f"{1:016x}", 0.5)
