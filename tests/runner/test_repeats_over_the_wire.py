"""Repeats against a server: really sent each time, kept apart by a cache, taken up by a run that goes on."""

from pathlib import Path
from typing import Any

import pytest
from tests.servers.fixtures import serving
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script

from ragstone import Report, evaluate
from ragstone.event import Event, MeasurementFinished
from ragstone.judges import LLMJudge
from ragstone.metrics import Hallucination
from ragstone.providers import OpenAI

CASES = [{"input": f"q{n}", "actual_output": f"Answer {n}.", "context": ["A passage."]} for n in range(8)]


def moody() -> Script:
    """A judge that contradicts every third time it is asked, whatever it is asked."""
    asked = iter(range(10_000))
    return Script(verdicts=lambda _: [{"reason": "r", "verdict": "no" if next(asked) % 3 == 2 else "yes"}])


def judge(server: OpenAIServer) -> LLMJudge:
    return LLMJudge(provider=OpenAI(api_key="sk-loopback", base_url=server.base_url))


def said(report: Report) -> list[list[float]]:
    return [[item["score"] for item in results[0].metadata["repeats"]] for results in report.results]


def test_every_repeat_is_sent_with_the_same_words_and_settings() -> None:
    with serving(OpenAIServer(moody())) as server:
        report = evaluate(CASES, Hallucination(), judge=judge(server), repeats=3, concurrency=1)
        bodies = [str(body) for body in server.bodies]
    assert len(bodies) == 3 * len(CASES)
    assert len(set(bodies)) == len(CASES)
    assert sum(map(sum, said(report))) == len(CASES)
    assert report.repeats()["Hallucination"].within > 0.1  # type: ignore[operator]
    assert report.usage.calls == 3 * len(CASES)


def test_a_cache_keeps_each_repeat_by_itself(tmp_path: Path) -> None:
    cache = tmp_path / "answers.sqlite3"
    with serving(OpenAIServer(moody())) as server:
        once = evaluate(CASES, Hallucination(), judge=judge(server), cache=cache, concurrency=1)
        first = evaluate(CASES, Hallucination(), judge=judge(server), cache=cache, repeats=3, concurrency=1)
        assert len(server.bodies) == 3 * len(CASES)  # the first of the repeats was known
        again = evaluate(CASES, Hallucination(), judge=judge(server), cache=cache, repeats=3)
        assert len(server.bodies) == 3 * len(CASES)
    assert said(again) == said(first)
    assert [scores[0] for scores in said(first)] == [results[0].score for results in once.results]
    assert len({tuple(scores) for scores in said(first)}) > 1


def test_a_run_that_was_interrupted_goes_on_with_its_repeats(tmp_path: Path) -> None:
    class Downfall(Exception):  # noqa: N818  (what happens, not what is wrong)
        pass

    measured: list[Any] = []

    def interrupt(event: Event) -> None:
        if isinstance(event, MeasurementFinished):
            measured.append(event)
            if len(measured) > 3:
                raise Downfall

    store = tmp_path / "runs.sqlite3"
    with serving(OpenAIServer(moody())) as server:
        with pytest.raises(Downfall):
            evaluate(
                CASES,
                Hallucination(),
                judge=judge(server),
                store=store,
                repeats=3,
                concurrency=1,
                listeners=[interrupt],
            )
        report = evaluate(CASES, judge=judge(server), store=store, resume="last")
        assert len(server.bodies) <= 3 * len(CASES) + 3  # what was in flight
    assert report.run.plan.repeats == 3
    assert [len(scores) for scores in said(report)] == [3] * len(CASES)
    assert report.repeats()["Hallucination"].within is not None
