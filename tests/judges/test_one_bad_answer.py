"""Bad answers in a run over a strict server: each is asked again or reported, and no other is affected."""

from collections.abc import Mapping

from tests.servers.faults import Fault, finished, invalid_json, spoiled
from tests.servers.openai import OpenAIServer
from tests.servers.script import Script, every
from tests.testing.for_each import for_each

from ragstone import Report, TestCase, evaluate
from ragstone.judges import LLMJudge
from ragstone.providers import OpenAI

CASES = [
    TestCase(
        input=f"How tall is lamp {number}?",
        actual_output=f"It is {number} metres tall.",
        retrieval_context=[f"Lamp {number} is {number} metres tall."],
    )
    for number in range(60)
]
METRICS = ["faithfulness(evidence='context')", "answer_relevancy"]
PROSE = spoiled(lambda _: "The claim is supported, as far as I can tell.", "prose")


def script() -> Script:
    return Script(
        claims=["It is tall."],
        statements=["It is tall."],
        verdicts=every({"passage": 1, "reason": "r", "verdict": "supported"}),
    ).when("relevan", verdicts=every({"reason": "r", "verdict": "yes"}))


def run(faults: Mapping[int, Fault]) -> tuple[Report, OpenAIServer]:
    with OpenAIServer(script()) as server:
        for interval, fault in faults.items():
            server.faults.add(fault, every=interval)
        judge = LLMJudge(provider=OpenAI(model="judge", base_url=server.base_url, api_key=server.key))
        report = evaluate(CASES, METRICS, judge=judge, concurrency=8)
    return report, server


def scores(report: Report) -> list[float | None]:
    return [result.score for _, result in report.flat()]


@for_each("faults", [{20: PROSE}, {50: invalid_json()}, {20: PROSE, 50: invalid_json()}])
def test_bad_answers_are_asked_again_and_the_schema_is_still_sent(faults: Mapping[int, Fault]) -> None:
    report, server = run(faults)
    assert [result.error for _, result in report.flat() if result.error] == []
    assert scores(report) == scores(run({})[0])
    assert all("response_format" in sent.body for sent in server.requests)


def test_refusal_costs_its_own_result_alone() -> None:
    report, server = run({30: finished("refusal")})
    refused = sum(result.error is not None for _, result in report.flat())
    assert refused == len(server.requests) // 30
    assert {score for score in scores(report) if score is not None} == set(scores(run({})[0]))
    assert all("response_format" in sent.body for sent in server.requests)
