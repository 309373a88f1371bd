"""Every metric through every vendor's wire gives the scores of the reference, also when the model misbehaves."""

import re
from pathlib import Path

import pytest
from tests.cli.command import invoke
from tests.servers import faults
from tests.servers._server import JudgeServer

from ragstone import Report, Result, TestCase, evaluate
from ragstone.metrics import GEval

CASE = TestCase(
    input="What is AI?",
    actual_output="AI mimics human intelligence. It has no use.",
    expected_output="AI is Artificial Intelligence. It is used in virtual assistants.",
    retrieval_context=[
        " ".join(["The passage says this."] * sentences) + f" Not {number}, though."
        for number, sentences in enumerate([0, 0, 2, 2, 2], 1)
    ],
    context=["c1", "c2"],
)


def entries(*words: str, **more: object) -> list[dict[str, object]]:
    return [{"verdict": word, "reason": "Because.", **more} for word in words]


REVIEW = {
    "unanswered": [],
    "faults": [],
    "deciding": [1],
    "answer": "acceptable",
    "context": "sufficient",
    "rank": 1,
}


def script(server: JudgeServer) -> None:
    """Verdicts of the reference's worked examples, told apart by what each prompt asks."""
    server.script.when(
        "helps to arrive at the expected output", verdicts=entries("no", "yes", "yes", "no", "no")
    )
    server.script.when(
        "Decide for each listed sentence, as part of the answer",
        verdicts=[*entries("yes", passage=2), *entries("no", passage=None)],
    )
    server.script.when("as it stands in its passage", verdicts=entries(*["no"] * 2, *["yes"] * 9))
    server.script.when("List the statements of the text", statements=["s1", "s2", "s3", "s4"])
    server.script.when("helps to answer the input; whether", verdicts=entries("yes", "no", "idk", "no"))
    server.script.when("List every factual claim", claims=["c1", "c2", "c3", "c4"])
    server.script.when(
        "facts the passages state", truths=[{"passage": 1, "fact": "t1"}, {"passage": 2, "fact": "t2"}]
    )
    server.script.when("Decide for each claim", verdicts=entries("yes", "yes", "no", "idk"))
    server.script.when("whether the actual output contradicts it", verdicts=entries("yes", "no"))
    server.script.when("wordings of the question", questions=["What is AI?"] * 3, noncommittal=False)
    server.script.when("evaluation steps by which", steps=["Look.", "Compare."])
    server.script.when("Rate the test case", reason="Mostly right.", score=7)
    server.script.when("careful expert who knows only these texts", **REVIEW)
    server.script.when("Rate the actual output by the reference", reason="Mostly right.", score=2)


METRICS = [
    "contextual_precision",
    "contextual_recall",
    "contextual_relevancy",
    "answer_relevancy",
    "faithfulness(evidence='truths', penalize_ambiguous_claims=False)",
    "hallucination",
    "semantic_answer_relevancy",
    GEval(name="Correctness", criteria="Is the answer right?"),
]
SCORES = {
    "ContextualPrecision": 0.5833333333333333,
    "ContextualRecall": 0.5,
    "ContextualRelevancy": 9 / 11,
    "AnswerRelevancy": 0.5,
    "Faithfulness": 0.75,
    "Hallucination": 0.5,
    "SemanticAnswerRelevancy": 1.0,
    "Correctness [GEval]": 0.7,
}


def measure(spec: str, **options: object) -> Report:
    return evaluate([CASE], METRICS, judge=spec, **options)  # type: ignore[arg-type]


def scores(report: Report) -> dict[str, float | None]:
    return {result.metric: result.score for result in report.results[0]}


def test_all_metrics_give_the_scores_of_the_reference(vendor: JudgeServer, spec: str) -> None:
    script(vendor)
    report = measure(spec)
    assert [result.error for result in report.results[0]] == [None] * len(METRICS)
    assert scores(report) == pytest.approx(SCORES, abs=1e-6)
    assert report.usage.calls == len(vendor.requests) == 12
    assert report.usage.input_tokens > 0
    assert all(result.judge == spec for result in report.results[0])


BAD_ANSWERS = [
    faults.invalid_json(),
    faults.fenced(),
    faults.prose_around(),
    faults.chatty_verdicts(),
    faults.misshaped(lambda _: {}, "an empty object"),
]
MISCOUNTS = [faults.one_too_few(), faults.one_too_many()]
FAILED = "^(ProviderError|UnreadableAnswer): "
BAD_LINES = [
    faults.rate_limited(0.01),
    faults.rate_limited(1, form="date"),
    faults.rate_limited(0.02, form="ms"),
    faults.status(500),
    faults.status(503),
    faults.reset(),
    faults.truncated(),
    faults.proxy_page(),
]


@pytest.mark.parametrize("fault", BAD_ANSWERS + BAD_LINES, ids=lambda fault: fault.name)
def test_transient_faults_do_not_change_scores(vendor: JudgeServer, spec: str, fault: faults.Fault) -> None:
    script(vendor)
    vendor.faults.add(fault, every=2, times=4)
    report = measure(spec)
    assert [result.error for result in report.results[0]] == [None] * len(METRICS)
    assert scores(report) == pytest.approx(SCORES, abs=1e-6)


@pytest.mark.parametrize("fault", MISCOUNTS, ids=lambda fault: fault.name)
def test_verdicts_that_do_not_match_the_numbered_items_are_asked_again(
    vendor: JudgeServer, spec: str, fault: faults.Fault
) -> None:
    script(vendor)
    vendor.faults.add(fault, matching="Decide for each (claim|context|passage|statement)", every=2, times=2)
    report = measure(spec)
    assert [result.error for result in report.results[0]] == [None] * len(METRICS)
    assert scores(report) == pytest.approx(SCORES, abs=1e-6)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (faults.invalid_json(), "UnreadableAnswer: .* not JSON"),
        (faults.one_too_few(), "UnreadableAnswer: .* verdicts for 4 claims; missing: 4"),
        (faults.one_too_many(), "UnreadableAnswer: .* verdicts for 4 claims; surplus: 5"),
        (faults.misshaped(lambda answer: answer | {"verdicts": []}), "UnreadableAnswer"),
        (faults.misshaped(lambda _: {"verdict": "yes"}), "UnreadableAnswer"),
        (faults.finished("length"), FAILED),
        (faults.finished("refusal"), FAILED),
        (faults.finished("empty"), FAILED),
        (faults.refused_key(401), "AccessRefused: .*401"),
        (faults.status(404, "no such model"), "ProviderError: .*404.*no such model"),
        (faults.status(400, "context length exceeded"), "ProviderError: .*400.*context length exceeded"),
    ],
    ids=lambda value: value.name if isinstance(value, faults.Fault) else None,
)
def test_persistent_fault_gives_an_error_and_no_score(
    vendor: JudgeServer, spec: str, fault: faults.Fault, expected: str
) -> None:
    script(vendor)
    vendor.faults.add(fault, matching="Decide for each claim")
    (result,) = evaluate([CASE], ["faithfulness"], judge=spec).results[0]
    assert_failed(result, expected)
    assert vendor.key is None or vendor.key not in (result.error or "")


@pytest.mark.parametrize("vendor_fault", [faults.stall()], ids=["stall"])
def test_a_stalled_answer_times_out(vendor: JudgeServer, spec: str, vendor_fault: faults.Fault) -> None:
    script(vendor)
    vendor.faults.add(vendor_fault, matching="Decide for each claim")
    (result,) = evaluate([CASE], ["faithfulness"], judge=spec, timeout=0.2).results[0]
    assert_failed(result, "TimedOut")


def test_refused_key_stops_further_requests(vendor: JudgeServer, spec: str) -> None:
    script(vendor)
    vendor.faults.add(faults.refused_key())
    cases = [
        CASE.model_copy(update={"input": f"question {number}", "id": str(number)}) for number in range(50)
    ]
    report = evaluate(cases, ["answer_relevancy"], judge=spec, concurrency=4)
    assert all((results[0].error or "").startswith("AccessRefused") for results in report.results)
    assert len(vendor.requests) <= 4
    assert report.exit_code == 3


def test_the_six_metrics_take_at_most_nine_calls_a_case(vendor: JudgeServer, spec: str) -> None:
    script(vendor)
    cases = [CASE.model_copy(update={"input": f"question {n}", "id": str(n)}) for n in range(20)]
    report = evaluate(cases, preset="rag", judge=spec)
    assert not [result.error for results in report.results for result in results if result.error]
    assert len(vendor.requests) <= 9 * len(cases)


def assert_failed(result: Result, pattern: str) -> None:
    assert result.score is None
    assert not result.success
    assert re.search(pattern, result.error or ""), result.error


@pytest.mark.parametrize(
    "fault", [faults.refused_key(401), faults.status(404, "no such model")], ids=lambda fault: fault.name
)
def test_a_wrong_key_or_model_on_the_command_line_is_one_message(
    vendor: JudgeServer, spec: str, fault: faults.Fault, tmp_path: Path
) -> None:
    script(vendor)
    vendor.faults.add(fault)
    path = tmp_path / "cases.jsonl"
    path.write_text(f"{CASE.model_dump_json()}\n")
    done = invoke("run", path, "-m", "answer_relevancy", "-m", "faithfulness", "--judge", spec)
    assert done.exit_code == 2
    (message,) = [line for line in done.stderr.splitlines() if "error:" in line]
    assert vendor.vendor in message
    assert str(fault.status) in message
    assert "Traceback" not in done.stderr
    assert vendor.key is None or vendor.key not in done.stderr
