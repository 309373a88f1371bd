"""Whole runs in batches, through the house's own providers, against the strict servers of both vendors."""

import json
from collections.abc import Iterator
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from tests.servers import faults
from tests.servers._server import JudgeServer
from tests.servers._shape import resolved
from tests.servers.anthropic import AnthropicServer
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Ask, Script

from ragstone import evaluate
from ragstone.event import BatchProgress, Event, JudgeCalled
from ragstone.findings import Report
from ragstone.judges import LLMJudge
from ragstone.metrics import (
    AnswerRelevancy,
    ContextualPrecision,
    ExactMatch,
    Faithfulness,
    GEval,
    Hallucination,
)
from ragstone.providers import Anthropic, OpenAI, Provider

METRICS = [Faithfulness(evidence="truths"), AnswerRelevancy(), ContextualPrecision(), Hallucination()]
STAGES = 2
"""What a metric of these asks second depends on what it was answered first; none asks a third time."""

KINDS: dict[str, Any] = {"openai": OpenAIServer, "anthropic": AnthropicServer}


def cases(count: int) -> list[dict[str, Any]]:
    return [
        {
            "input": f"Question {number}?",
            "actual_output": f"Answer {number}. It has a second sentence.",
            "expected_output": f"Answer {number}.",
            "retrieval_context": [f"Passage {number}.", f"Another passage {number}."],
            "context": [f"Passage {number}."],
        }
        for number in range(count)
    ]


def _label(ask: Ask, number: int) -> str:
    """One of the labels that the question offers, by what it asks."""
    schema = ask.schema or {}
    entry = resolved(resolved(schema["properties"]["verdicts"], schema)["items"], schema)
    labels = resolved(entry["properties"]["verdict"], schema)["enum"]
    digest = blake2b(f"{number} {ask.text}".encode(), digest_size=1).digest()
    return labels[digest[0] % len(labels)]


def _statement(ask: Ask) -> str:
    return f"Statement {blake2b(ask.user.encode(), digest_size=8).hexdigest()}."


def script() -> Script:
    """A model whose answers depend on nothing but what it is asked."""
    return Script(
        claims=lambda ask: [f"{_statement(ask)} {number}" for number in range(2)],
        truths=lambda ask: [_statement(ask)],
        statements=lambda ask: [_statement(ask), "Another."],
        verdicts=lambda ask: [_label(ask, number) for number in range(ask.items)],
        steps=["Look."],
        score=7,
    )


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest) -> Iterator[Any]:
    with serving(KINDS[request.param](script())) as found:
        yield found


def provider(server: JudgeServer, **options: Any) -> Provider:
    if isinstance(server, OpenAIServer):
        return OpenAI(base_url=server.base_url, **{"api_key": "sk-loopback", **options})
    return Anthropic(base_url=server.base_url, **{"api_key": "sk-ant-loopback", **options})


def judge(server: JudgeServer, **options: Any) -> LLMJudge:
    return LLMJudge(provider=provider(server), **options)


def run(server: JudgeServer, data: Any, store: Path, metrics: Any = METRICS, **options: Any) -> Report:
    options = {"judge": judge(server), "batch": True, "batch_interval": 0.05, **options}
    return evaluate(data, metrics, store=store / "runs.sqlite3", **options)


def scores(report: Report) -> list[Any]:
    return [(result.score, result.reason, result.error) for results in report.results for result in results]


def test_scores_are_the_same_cost_is_half_and_stages_are_batches(server: Any, tmp_path: Path) -> None:
    data = cases(20)
    alone = evaluate(data, METRICS, judge=judge(server))
    asked, posts = len(server.asked), len(server.requests)
    batched = run(server, data, tmp_path)
    assert scores(batched) == scores(alone)
    assert batched.complete
    assert len(server.batches.made) == STAGES
    assert len(server.asked) == 2 * asked
    assert len(server.batches.submitted) == asked
    assert len(server.requests) - posts < 60  # files, batches and looks at them, none of them a question
    assert batched.usage == alone.usage
    assert batched.cost == pytest.approx((alone.cost or 0.0) / 2)


def test_answers_that_are_not_usable_are_asked_for_again_in_the_next_batch(
    server: Any, tmp_path: Path
) -> None:
    server.faults.add(
        faults.invalid_json(), nth=(9, 10)
    )  # of the second stage: the first has two questions a case
    report = run(server, cases(4), tmp_path, METRICS[:1])
    assert not any(result.error for results in report.results for result in results)
    assert len(server.batches.made) == STAGES + 1
    assert report.usage.calls == len(server.batches.submitted)


@pytest.mark.parametrize("fate", ["expired", "missing", "failed"])
def test_unanswered_requests_are_resubmitted_at_most_three_times(
    server: Any, tmp_path: Path, fate: Any
) -> None:
    server.batches.plan(fate, matching="Answer 1", times=2)
    report = run(server, cases(3), tmp_path, METRICS[:1])
    assert [len(results) for results in report.results] == [1, 1, 1]
    assert not any(result.error for results in report.results for result in results)
    assert max(map(server.batches.submitted.count, server.batches.submitted)) <= 3


def test_request_unanswered_in_three_batches_becomes_an_error(server: Any, tmp_path: Path) -> None:
    server.batches.plan("expired", matching="Answer 1", times=99)
    report = run(server, cases(2), tmp_path, METRICS[:1])
    good, bad = (results[0] for results in report.results)
    assert good.error is None
    assert bad.score is None
    assert "was not answered before the batch expired" in (bad.error or "")
    assert max(map(server.batches.submitted.count, server.batches.submitted)) == 3


def test_a_request_that_is_cancelled_at_the_vendor_is_an_error_at_once(server: Any, tmp_path: Path) -> None:
    server.batches.plan("cancelled", matching="Answer 1", times=99)
    report = run(server, cases(2), tmp_path, METRICS[:1])
    assert "the batch was cancelled" in (report.results[1][0].error or "")
    assert max(map(server.batches.submitted.count, server.batches.submitted)) == 1


def test_unacknowledged_submission_is_not_repeated(server: Any, tmp_path: Path) -> None:
    server.batches.unheard = 2
    report = run(server, cases(3), tmp_path, METRICS[:1])
    assert report.complete
    assert not any(result.error for results in report.results for result in results)
    assert len(server.batches.made) == STAGES
    assert len(set(server.batches.submitted)) == len(server.batches.submitted)


def test_wrong_key_gives_access_refused_without_submission(server: Any, tmp_path: Path) -> None:
    refused = LLMJudge(provider=provider(server, api_key="sk-wrong-key-12345"))
    report = run(server, cases(30), tmp_path, judge=refused)
    errors = {result.error for results in report.results for result in results}
    assert all((error or "").startswith("AccessRefused: ") for error in errors)
    assert len(server.requests) <= 4
    assert server.batches.made == []


def test_unknown_model_is_reported_as_404(tmp_path: Path) -> None:
    for kind in KINDS.values():
        with serving(kind(script(), models=["another"])) as server:
            report = run(server, cases(2), tmp_path, METRICS[:1])
            assert "answered 404" in (report.results[0][0].error or "")
            assert len(server.asked) == 0


def test_parameters_refused_in_a_batch_are_not_sent_again(tmp_path: Path) -> None:
    with serving(OpenAIServer(script(), reasoning=True)) as server:
        report = run(server, cases(3), tmp_path, METRICS[:1])
        assert not any(result.error for results in report.results for result in results)
        refused = {"temperature", "max_tokens", "logprobs"}
        sent = [refused.intersection(chain(*batch.requests.values())) for batch in server.batches.made]
        # The server names one a request; a model that takes no temperature takes the others neither.
        assert sent == [{"temperature", "max_tokens"}, set(), set()]
    with serving(AnthropicServer(script(), always_thinks=True)) as server:
        report = run(server, cases(3), tmp_path, METRICS[:1])
        assert not any(result.error for results in report.results for result in results)


def test_equal_prompts_of_several_test_cases_are_submitted_once(server: Any, tmp_path: Path) -> None:
    six = [{**cases(1)[0], "id": f"case {number}"} for number in range(6)]
    report = run(server, six, tmp_path)
    assert not any(result.error for results in report.results for result in results)
    bodies = [json.dumps(body) for batch in server.batches.made for body in batch.requests.values()]
    assert len(bodies) == len(set(bodies)) == report.usage.calls == run(server, six[:1], tmp_path).usage.calls


def test_more_than_the_vendors_queue_takes_is_submitted_in_halves(tmp_path: Path) -> None:
    with serving(OpenAIServer(script())) as server:
        server.batches.queue = 5
        report = run(server, cases(8), tmp_path, METRICS[:1])
        assert not any(result.error for results in report.results for result in results)
        assert len(set(server.batches.submitted)) == len(server.batches.submitted)
        assert max(len(batch.requests) for batch in server.batches.made) <= 5


def test_a_batch_holds_no_more_than_the_vendor_allows(server: Any, tmp_path: Path, monkeypatch: Any) -> None:
    place = f"ragstone.providers.batches.{server.vendor}"
    kind = {"openai": "OpenAIBatches", "anthropic": "AnthropicBatches"}[server.vendor]
    module = __import__(place, fromlist=[kind])
    small = type("Small", (getattr(module, kind),), {})
    monkeypatch.setattr(f"ragstone.providers.{server.vendor}.{kind}", lambda base: small(base, 7, 20_000))
    server.batches.most_requests, server.batches.most_bytes = 7, 20_000
    report = run(server, cases(12), tmp_path, METRICS[:1])
    assert not any(result.error for results in report.results for result in results)
    assert len(server.batches.made) > STAGES
    assert len(set(server.batches.submitted)) == len(server.batches.submitted)


def test_equal_questions_that_are_asked_several_times_are_each_submitted(server: Any, tmp_path: Path) -> None:
    report = run(server, cases(2), tmp_path, METRICS[:1], repeats=3)
    assert len(report.results[0][0].metadata["repeats"]) == 3
    assert len(set(server.batches.submitted)) == len(server.batches.submitted) == report.usage.calls
    assert len(server.batches.made) == STAGES


def test_cached_answers_are_not_submitted(server: Any, tmp_path: Path) -> None:
    cache = tmp_path / "answers.sqlite3"
    evaluate(cases(2), METRICS, judge=judge(server), cache=cache)
    report = run(server, cases(3), tmp_path, cache=cache)
    assert report.complete
    assert not any("Answer 0" in body or "Answer 1" in body for body in server.batches.bodies)
    again = run(server, cases(3), tmp_path, cache=cache)
    assert scores(again) == scores(report)
    assert len(server.batches.made) == STAGES


def test_batched_run_stopped_at_max_cost_can_be_resumed(server: Any, tmp_path: Path) -> None:
    whole = run(server, cases(6), tmp_path, METRICS[:1])
    half = run(server, cases(6), tmp_path, METRICS[:1], max_cost=(whole.cost or 0.0) / 2)
    assert not half.complete
    assert half.stopped
    assert (half.cost or 0.0) < (whole.cost or 0.0)
    before = len(server.batches.submitted)
    rest = run(server, cases(6), tmp_path, (), judge=judge(server), resume=half.run.id)
    assert rest.complete
    assert scores(rest) == scores(whole)
    assert len(server.batches.submitted) < before + len(server.batches.made[0].requests) * 2


def test_steps_that_a_whole_run_shares_are_asked_for_once(server: Any, tmp_path: Path) -> None:
    metrics = [GEval(name="Fit", criteria="Does it fit?"), *METRICS[:1], ExactMatch()]
    report = run(server, cases(5), tmp_path, metrics)
    assert not any(result.error for results in report.results for result in results)
    first, second = ([*batch.requests.values()] for batch in server.batches.made)
    assert len(first) == 1 + 2 * 5
    assert len(second) == 5 + 5
    assert len(set(server.batches.submitted)) == len(server.batches.submitted)


def test_listeners_hear_how_far_each_batch_is(server: Any, tmp_path: Path) -> None:
    heard: list[Event] = []
    server.batches.delay = 0.3
    run(server, cases(4), tmp_path, METRICS[:1], listeners=[heard.append])
    told = [event for event in heard if isinstance(event, BatchProgress)]
    assert [event.number for event in told if event.ended] == [1, 2]
    assert all(event.answered == event.total for event in told if event.ended)
    assert told[0].judge == f"{server.vendor}:{provider(server).model}"
    asked = [event for event in heard if isinstance(event, JudgeCalled)]
    assert len(asked) == sum(event.total for event in told if event.ended)
