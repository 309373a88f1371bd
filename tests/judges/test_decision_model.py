import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from tests.servers.decisions import DecisionModelServer
from tests.servers.fixtures import serving
from tests.testing.for_each import for_each

from ragstone import TestCase, evaluate
from ragstone.errors import BadOption, ProviderError
from ragstone.judges import DecisionJudge, DecisionServer, get_judge
from ragstone.prompts import (
    AttributeStatements,
    Decisions,
    ExtractClaims,
    JudgeClaims,
    LocateClaims,
    RateAnswer,
    ReviewCase,
)

PASSAGES = ("The bridge is 90 metres long.",)
CLAIMS = ("The bridge is 90 metres long.", "It was built in 1930.", "It is red.")
CASE = TestCase(
    input="How long is the bridge?",
    actual_output=f"{CLAIMS[0]} {CLAIMS[1]}",
    expected_output=CLAIMS[0],
    retrieval_context=list(PASSAGES),
)
WIRES = ["systemone", "decisions"]


def model(state: str, instructions: str, options: Sequence[str]) -> Mapping[str, float] | None:
    """Knows the first claim, is unsure of the third, and gives the best score but one."""
    if "supported" in options:
        item = int(instructions.rpartition("Decide for claim ")[2].partition(" ")[0])
        claim = state.rpartition("claims:")[2].split(f"{item}| ")[1].partition("\n")[0]
        if claim == CLAIMS[0]:
            return {"supported": 0.9, "contradicted": 0.04, "not_mentioned": 0.06}
        if claim == CLAIMS[1]:
            return {"supported": 0.02, "contradicted": 0.08, "not_mentioned": 0.9}
        return {"supported": 0.4, "contradicted": 0.3, "not_mentioned": 0.3}
    return {option: 0.6 if option == options[-2] else 0.2 for option in options}


def judge_at(server: DecisionModelServer, wire: str) -> DecisionJudge:
    return DecisionJudge(server=DecisionServer(base_url=f"{server.base_url}/v1/{wire}", model="m"))


@for_each("wire", WIRES)
def test_verdicts_keep_the_probabilities_of_their_labels(wire: str) -> None:
    with serving(DecisionModelServer(model)) as server:
        prompt = JudgeClaims(evidence_texts=PASSAGES, input="How long?", claims=CLAIMS)
        reply = asyncio.run(judge_at(server, wire).ask(prompt))
    verdicts = reply.answer.on(CLAIMS)
    assert [(item.verdict, item.probability) for item in verdicts] == [
        ("yes", pytest.approx(0.9)),
        ("idk", pytest.approx(0.02)),
        ("undecided", pytest.approx(0.4)),
    ]
    assert verdicts[0].reason == "supported is 90% likely"
    assert (reply.usage.calls, reply.usage.input_tokens > 0) == (1, True)
    assert len(server.requests) == 1


@for_each("wire", WIRES)
def test_score_on_a_scale_is_the_mean_of_its_levels(wire: str) -> None:
    with serving(DecisionModelServer(model)) as server:
        reply = asyncio.run(
            judge_at(server, wire).ask(RateAnswer(input="How long?", actual_output="90 metres"))
        )
    assert reply.answer.score == 2
    assert reply.answer.value == pytest.approx((0 * 0.2 + 1 * 0.2 + 2 * 0.6 + 3 * 0.2) / 1.2)


def test_statements_of_a_text_are_found_by_the_other_judge_and_judged_by_the_model() -> None:
    with serving(DecisionModelServer(model)) as server:
        report = evaluate([CASE], ["faithfulness", "contextual_recall"], judge=f"decisions:{server.base_url}")
    faithfulness, recall = report.results[0]
    assert (faithfulness.score, recall.score) == (0.5, 1.0)
    assert [verdict.probability for verdict in recall.verdicts] == [pytest.approx(0.9)]
    assert report.run.plan.judges == {"ExtractClaims": "local", "ExtractTruths": "local"}
    assert report.run.plan.judge == f"decisions:{server.base_url}/v1/systemone"
    assert {request.path for request in server.requests} == {"/v1/systemone"}


def test_kinds_of_prompts() -> None:
    judge = get_judge("decisions:m@http://127.0.0.1:1/v1/decisions#threshold=0.7")
    assert judge.name == "decisions:m@http://127.0.0.1:1/v1/decisions#threshold=0.7"
    assert get_judge(judge.name).name == judge.name
    own = [prompt for prompt in (AttributeStatements, ExtractClaims, JudgeClaims, LocateClaims, RateAnswer, ReviewCase)
           if judge.judge_of(prompt) == judge.name]  # fmt: skip
    assert own == [AttributeStatements, JudgeClaims, RateAnswer]


def test_question_that_the_model_declines_is_undecided() -> None:
    with serving(DecisionModelServer(lambda *_: None)) as server:
        judge = judge_at(server, "decisions")
        reply = asyncio.run(judge.ask(JudgeClaims(evidence_texts=PASSAGES, claims=CLAIMS[:1])))
        rated = asyncio.run(judge.ask(RateAnswer(input="q", actual_output="a")))
    assert isinstance(reply.answer, Decisions)
    assert (reply.answer.verdicts[0].verdict, rated.answer.undecided) == ("undecided", True)
    assert rated.answer.reason == "the model declined to answer"


@for_each(
    "reply, words",
    [
        ({"answers": []}, "is not a list of decisions"),
        ({"answers": {}}, "answered 0 of 1 questions"),
        (
            {"answers": {"q1": {"probabilities": {"supported": 1.0}}}},
            "not a probability for each of supported, contra",
        ),
        (
            {"answers": {"q1": {"probabilities": {"supported": 1.5, "contradicted": 0, "not_mentioned": 0}}}},
            "not a probability for each of",
        ),
    ],
)
def test_answer_of_a_wrong_shape_is_an_error(reply: Any, words: str) -> None:
    server = DecisionModelServer(model)
    server.reply = reply
    with serving(server), pytest.raises(ProviderError, match=words):
        asyncio.run(
            judge_at(server, "systemone").ask(JudgeClaims(evidence_texts=PASSAGES, claims=CLAIMS[:1]))
        )


def test_key_is_sent_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECISIONS_API_KEY", "decision-key-1")
    with serving(DecisionModelServer(model, key="decision-key-1")) as server:
        judge = get_judge(f"decisions:{server.base_url}")
        report = evaluate([CASE], ["faithfulness"], judge=judge)
        monkeypatch.setenv("DECISIONS_API_KEY", "decision-key-2")
        refused = evaluate([CASE], ["faithfulness"], judge=f"decisions:{server.base_url}")
    assert report.results[0][0].score == 0.5
    assert "AccessRefused" in str(refused.results[0][0].error)
    assert "decision-key" not in repr(judge) + str(refused.results[0][0].error)


@for_each(
    "spec, words",
    [
        ("decisions:", "not an HTTP address"),
        ("decisions:http://127.0.0.1#band=0.1", "there is no option band. Behind # write threshold"),
        ("decisions:http://127.0.0.1#threshold=1", r"threshold=1\.0 is no probability"),
    ],
)
def test_invalid_specs_are_rejected(spec: str, words: str) -> None:
    with pytest.raises(BadOption, match=words):
        get_judge(spec)
