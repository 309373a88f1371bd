"""A run that was interrupted goes on where it stopped: killed, out of money, with other wishes."""

import random
import re
from pathlib import Path
from typing import Any

import pytest
from benchmarks.launch import launched
from tests.servers.detectors import TEIServer
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Ask, Script, every
from tests.testing.forked import ForkedProcess

from benchmarks import kills
from ragstone import Limits, evaluate
from ragstone.errors import BadOption, UsageError
from ragstone.event import Event, EventListener, JudgeCalled, MeasurementFinished
from ragstone.judges import CascadeJudge, LLMJudge, get_judge
from ragstone.metrics import ExactMatch, Faithfulness, GEval
from ragstone.providers import OpenAI

CASES = [
    {
        "input": f"Question {number}?",
        "actual_output": f"Answer {number}.",
        "expected_output": f"Answer {number}.",
        "retrieval_context": [f"Passage {number}."],
    }
    for number in range(12)
]
METRICS = [Faithfulness(), GEval(name="Fit", criteria="Does it fit?"), ExactMatch()]
PRICES = {"gpt-4o-mini": (100.0, 100.0, 100.0)}


def about(ask: Ask) -> list[str]:
    """One claim, which differs from case to case."""
    return [re.findall(r"\w+ \d+\.", ask.user)[-1]]


def script() -> Script:
    steps = iter(range(1000))
    return Script(
        claims=about,
        truths=about,
        verdicts=every("yes"),
        steps=lambda _: [f"Look, {next(steps)}."],
        score=8,
        reason="Good.",
    )


def judge(server: OpenAIServer) -> LLMJudge:
    return LLMJudge(provider=OpenAI(api_key="sk-loopback", base_url=server.base_url), prices=PRICES)


def lines(report: Any) -> list[dict[str, Any]]:
    found = [result.model_dump(mode="json") for results in report.results for result in results]
    return [{key: value for key, value in line.items() if key not in kills.TIME_DECIDES} for line in found]


class Downfall(Exception):  # noqa: N818  (what happens, not what is wrong)
    pass


def interrupting(after: int, kind: type[Event] = MeasurementFinished) -> EventListener:
    """A listener that brings the run down."""
    seen = 0

    def emit(event: Event) -> None:
        nonlocal seen
        seen += isinstance(event, kind)
        if seen > after and isinstance(event, kind):
            raise Downfall

    return emit


@pytest.mark.parametrize("after", [0, 5, 30])
def test_resumed_run_asks_no_question_twice(store_url: str, after: int) -> None:
    with serving(OpenAIServer(script(), latency=0.005)) as server:
        with pytest.raises(Downfall):
            evaluate(
                CASES,
                METRICS,
                judge=judge(server),
                store=store_url,
                name="n",
                concurrency=4,
                listeners=[interrupting(after)],
            )
        report = evaluate(CASES, judge=judge(server), store=store_url, resume="n", concurrency=4)
        distinct = {str(body) for body in server.bodies}
        assert len(server.bodies) <= len(distinct) + 4  # what was in flight
        assert report.complete
        assert len(list(report.flat())) == len(CASES) * len(METRICS)
        steps = {
            str(result.metadata["steps"])
            for results in report.results
            for result in results
            if "steps" in result.metadata
        }
        assert len(steps) == 1
        whole = evaluate(CASES, METRICS, judge=judge(server), concurrency=4)
    assert [line["score"] for line in lines(report)] == [line["score"] for line in lines(whole)]
    again = evaluate(CASES, judge=judge(server), store=store_url, resume="n")
    assert lines(again) == lines(report)


def test_resumed_run_of_two_judges_asks_neither_twice(store_url: str) -> None:
    cases = [
        {**case, "actual_output": f"The shop of house {n} opens at nine."} for n, case in enumerate(CASES)
    ]
    unsure = {"LABEL_0": 0.5}
    with (
        serving(OpenAIServer(script(), latency=0.005)) as server,
        serving(TEIServer(lambda _, statement: unsure if statement.count("3") else {"LABEL_0": 0.9})) as tei,
    ):
        judges = CascadeJudge(judges=[get_judge(f"tei:{tei.base_url}"), judge(server)])
        with pytest.raises(Downfall):
            evaluate(
                cases,
                METRICS[:1],
                judge=judges,
                store=store_url,
                name="row",
                concurrency=2,
                listeners=[interrupting(5)],
            )
        report = evaluate(cases, judge=judges, store=store_url, resume="row", concurrency=2)
        again = evaluate(cases, judge=judges, store=store_url, resume="row")
        for running in (server, tei):
            distinct = {str(body) for body in running.bodies}
            assert len(running.bodies) <= len(distinct) + 2  # what was in flight
    assert report.complete
    assert len(tei.bodies) >= len(cases)
    assert len(server.bodies) >= 1
    assert lines(again) == lines(report)
    judged = [verdict.judge for row in report.results for verdict in row[0].verdicts]
    assert set(judged) == {f"tei:{tei.base_url}", "openai:gpt-4o-mini"}


def test_run_stopped_by_max_cost_resumes_with_higher_limit(store_url: str) -> None:
    with serving(OpenAIServer(script(), latency=0.002)) as server:
        whole = evaluate(CASES, METRICS[:1], judge=judge(server))
        assert whole.cost
        half = evaluate(
            CASES, METRICS[:1], judge=judge(server), store=store_url, limits=Limits(max_cost=whole.cost / 2)
        )
        assert not half.complete
        assert "resume the run with a higher max_cost" in half.stopped
        stuck = evaluate(
            CASES, judge=judge(server), store=store_url, resume="last", limits=Limits(max_cost=whole.cost / 2)
        )
        assert len(stuck.results) == len(half.results)
        rest = evaluate(
            CASES,
            judge=judge(server),
            store=store_url,
            resume="last",
            limits=Limits(max_cost=whole.cost * 1.05),
        )
    assert rest.complete
    assert lines(rest) == lines(whole)
    assert rest.cost == pytest.approx(whole.cost)


def test_another_dataset_judge_or_metric_is_refused(store_url: str) -> None:
    with serving(OpenAIServer(script())) as server:
        evaluate(CASES, METRICS, judge=judge(server), store=store_url, name="n")
        asked = len(server.bodies)
        other = [CASES[0], {**CASES[1], "actual_output": "Else."}, *CASES[2:]]
        with pytest.raises(UsageError, match="row 2 differs"):
            evaluate(other, judge=judge(server), store=store_url, resume="n")
        with pytest.raises(
            BadOption, match=r"started with another judge \('openai:gpt-4o-mini', now 'ollama:other'\)"
        ):
            evaluate(CASES, judge="ollama:other", store=store_url, resume="n")
        with pytest.raises(BadOption, match="keeps its metrics"):
            evaluate(CASES, [ExactMatch()], judge=judge(server), store=store_url, resume="n")
        evaluate(CASES, METRICS, judge=judge(server), store=store_url, resume="n")
        assert len(server.bodies) == asked
    with pytest.raises(UsageError, match="There is no run 'other'"):
        evaluate(CASES, store=store_url, resume="other")


def test_resumed_run_marks_recorded_answers(store_url: str) -> None:
    heard: list[Event] = []
    with serving(OpenAIServer(script(), latency=0.005)) as server:
        with pytest.raises(Downfall):  # with four cases under way
            evaluate(
                CASES,
                METRICS,
                judge=judge(server),
                store=store_url,
                concurrency=4,
                listeners=[interrupting(30)],
            )
        evaluate(CASES, judge=judge(server), store=store_url, resume="last", listeners=[heard.append])
    recorded = [event.recorded for event in heard if isinstance(event, JudgeCalled)]
    assert any(recorded)


def begun(command: list[str], **options: Any) -> ForkedProcess:
    return ForkedProcess(command[1:], **options)  # the first is Python


def test_repeatedly_killed_run_loses_no_result(store_url: str) -> None:
    seed = random.Random(str(Path(store_url).name)).randrange(1000)
    with launched(latency_ms=60.0, jitter_ms=30.0) as server:
        outcome = kills.measure(store_url, server, count=40, kills=3, concurrency=8, seed=seed, begin=begun)
    assert outcome.equal
    assert outcome.results == 40 * len(kills.METRICS)
    assert outcome.calls <= outcome.undisturbed + outcome.allowed


def test_two_processes_write_one_store(store_url: str) -> None:
    with launched(latency_ms=20.0) as server:
        outcome = kills.measure(store_url, server, count=10, kills=1, concurrency=4, processes=2, begin=begun)
    assert outcome.good
    assert outcome.results == 2 * 10 * len(kills.METRICS)
