import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from tests.judges.detection.tables import BRIDGE, HISTORY_PASSAGE, LENGTH_PASSAGE, RAILWAY, SCORES, YEAR
from tests.servers.detectors import DetectorServer, LlamaRerankServer, Scores, TEIServer, VLLMServer
from tests.servers.faults import rate_limited
from tests.servers.fixtures import serving
from tests.testing.for_each import for_each

from ragstone import TestCase, evaluate
from ragstone.audit import exam
from ragstone.errors import BadOption, ProviderError, TimedOut, UsageError
from ragstone.judges import Detection, Judge, get_judge
from ragstone.judges.detection.served import LlamaRerankDetector, ServedDetector, TEIDetector, VLLMDetector
from ragstone.permissions import Permissions, restricted
from ragstone.providers import Retry, open_transport

TEMPLATE = "Premise: {passage} Hypothesis: {statement}"
PASSAGES = [LENGTH_PASSAGE, HISTORY_PASSAGE]
CASE = TestCase(input="How long?", actual_output=f"{BRIDGE} {YEAR}", retrieval_context=PASSAGES)


def binary(passage: str, statement: str) -> Mapping[str, float]:
    return {"LABEL_0": SCORES.get((statement, passage), 0.04)}


def two_labels(passage: str, statement: str) -> Mapping[str, float]:
    chance = SCORES.get((statement, passage), 0.04)
    return {"LABEL_0": 1 - chance, "LABEL_1": chance}


def three_labels(passage: str, statement: str) -> Mapping[str, float]:
    chance = SCORES.get((statement, passage), 0.04)
    against = 0.9 if (statement, passage) == (YEAR, HISTORY_PASSAGE) else 0.01
    return {"entailment": chance, "neutral": max(0.0, 1 - chance - against), "contradiction": against}


def detect(detector: ServedDetector, *statements: str, passages: list[str] = PASSAGES) -> list[Detection]:
    async def found() -> list[Detection]:
        async with open_transport(timeout=5, retry=Retry(attempts=1)):
            return list(await detector.detect(statements, passages, ""))

    return asyncio.run(found())


WIRES = [
    pytest.param(TEIServer, TEIDetector, binary, {}, id="tei"),
    pytest.param(TEIServer, TEIDetector, two_labels, {}, id="tei-two-labels"),
    pytest.param(TEIServer, TEIDetector, two_labels, {"template": TEMPLATE}, id="tei-template"),
    pytest.param(VLLMServer, VLLMDetector, binary, {}, id="vllm-score"),
    pytest.param(VLLMServer, VLLMDetector, two_labels, {"template": TEMPLATE}, id="vllm-classify"),
    pytest.param(LlamaRerankServer, LlamaRerankDetector, binary, {}, id="llama-rerank"),
]


@pytest.mark.parametrize(("server", "wire", "scores", "options"), WIRES)
def test_each_wire_returns_the_probabilities_of_its_model(
    server: Callable[[Scores], DetectorServer],
    wire: type[ServedDetector],
    scores: Scores,
    options: Mapping[str, Any],
) -> None:
    with serving(server(scores)) as running:
        found = detect(wire(base_url=running.base_url, **options), BRIDGE, RAILWAY, YEAR)
    assert [item.supported for item in found] == pytest.approx([0.95, 0.55, 0.04])
    assert [(item.contradicted, item.passage) for item in found] == [(None, 1)] * 3
    assert running.pairs == 9  # three statements by each passage, and by both together


def test_braces_in_a_text_are_no_places_of_the_template() -> None:
    with serving(VLLMServer(two_labels)) as server:
        detect(
            VLLMDetector(base_url=server.base_url, template=TEMPLATE),
            "Write {passage} & {statement}.",
            passages=["P"],
        )
    assert server.bodies[0]["input"] == ["Premise: P Hypothesis: Write {passage} & {statement}."]
    named = VLLMDetector(base_url="http://127.0.0.1:1", template="{passage} & {statement} + #").name
    judge: Any = get_judge(named)
    assert judge.detector.template == "{passage} & {statement} + #"


def test_contradiction_is_known_where_the_model_has_the_label() -> None:
    with serving(TEIServer(three_labels)) as server:
        found = detect(TEIDetector(base_url=server.base_url), BRIDGE, YEAR)
    assert [item.contradicted for item in found] == pytest.approx([0.01, 0.9])
    assert [item.passage for item in found] == [1, 2]


def test_passages_that_support_only_together_are_found() -> None:
    def together(passage: str, _: str) -> Mapping[str, float]:
        return {"x": 0.9 if passage == "\n".join(PASSAGES) else 0.1}

    with serving(VLLMServer(together)) as server:
        (found,) = detect(VLLMDetector(base_url=server.base_url), BRIDGE)
    assert found.supported == 0.9


def test_pairs_are_sent_in_batches_that_the_server_takes() -> None:
    statements = [f"Statement {number} says something." for number in range(40)]
    with serving(TEIServer(binary)) as server:
        found = detect(TEIDetector(base_url=server.base_url), *statements)
    assert len(found) == 40
    assert [len(body["inputs"]) for body in server.bodies] == [32, 32, 32, 24]


@for_each(
    "spec, server, scores",
    [
        ("tei:{url}", TEIServer, binary),
        ("vllm:hhem@{url}", VLLMServer, binary),
        ("llama-rerank:{url}", LlamaRerankServer, binary),
    ],
)
def test_a_run_with_the_spec_of_each_wire(
    spec: str, server: Callable[[Scores], DetectorServer], scores: Scores
) -> None:
    with serving(server(scores)) as running:
        named = spec.format(url=running.base_url)
        report = evaluate([CASE], ["faithfulness"], judge=named)
    (result,) = report.results[0]
    assert (result.score, result.judge) == (0.5, named)
    assert [item["probability"] for item in result.metadata["verdicts"]] == pytest.approx([0.95, 0.04])
    assert get_judge(named).name == named


def test_options_behind_the_address_are_read_and_named() -> None:
    judge = get_judge("tei:http://127.0.0.1:1#threshold=0.3&band=0.05&max_tokens=2048&supported=ok")
    detector: Any = judge.detector  # type: ignore[attr-defined]
    assert (detector.max_tokens, detector.supported) == (2048, "ok")
    assert judge.name == "tei:http://127.0.0.1:1#max_tokens=2048&supported=ok&threshold=0.3&band=0.05"
    assert get_judge(judge.name).name == judge.name
    rerank = get_judge("llama-rerank:http://127.0.0.1:1#scores=probability")
    assert rerank.name == "llama-rerank:http://127.0.0.1:1#scores=probability"


@for_each(
    "spec, words",
    [
        ("tei:", "not an HTTP address"),
        ("tei:127.0.0.1:8080", "not an HTTP address"),
        ("tei:http://user:secret@127.0.0.1", "contains a password"),
        ("tei:http://127.0.0.1#threshold=high", "Behind # write threshold, band"),
        ("tei:http://127.0.0.1#speed=3", "Behind # write threshold, band"),
        ("tei:http://127.0.0.1#scores=probability", "Behind # write threshold, band"),
        ("tei:http://127.0.0.1#threshold=2", "threshold=2.0 is no probability"),
        ("llama-rerank:http://127.0.0.1#scores=raw", "write log_odds or probability"),
        ("llama-rerank:http://127.0.0.1#supported=yes", "leave out template, supported"),
    ],
)
def test_invalid_specs_are_rejected(spec: str, words: str) -> None:
    with pytest.raises(BadOption, match=words) as caught:
        get_judge(spec)
    assert "secret" not in str(caught.value)


@for_each(
    "reply, words",
    [
        ({"predictions": []}, "not a list of predictions"),
        ([[{"score": 0.5, "label": "a"}]], "1 scores for 2 pairs"),
        ([[{"score": 3.5, "label": "x"}]] * 2, "3.5 for x, which is no probability"),
        (
            [[{"score": 0.5, "label": "pro"}, {"score": 0.5, "label": "con"}]] * 2,
            "the labels pro, con, and none is known to mean supported: name the label with supported=LABEL",
        ),
    ],
)
def test_answer_of_a_wrong_shape_is_an_error(reply: Any, words: str) -> None:
    server = TEIServer(binary)
    server.reply = reply
    with serving(server), pytest.raises(ProviderError, match=words):
        detect(TEIDetector(base_url=server.base_url), BRIDGE, YEAR, passages=[LENGTH_PASSAGE])


def test_labels_of_a_hostile_server_do_not_reach_the_terminal() -> None:
    server = TEIServer(binary)
    server.reply = [[{"score": 0.5, "label": "\x1b[2Jyes" * 1000}, {"score": 0.5, "label": "other"}]]
    with serving(server), pytest.raises(ProviderError) as caught:
        detect(TEIDetector(base_url=server.base_url), BRIDGE, passages=[LENGTH_PASSAGE])
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_wrong_indices_are_an_error() -> None:
    server = VLLMServer(binary)
    server.reply = {"data": [{"index": 1, "score": 0.5}, {"index": 1, "score": 0.5}]}
    with serving(server), pytest.raises(ProviderError, match=r"the indices \[1, 1\]"):
        detect(VLLMDetector(base_url=server.base_url), BRIDGE, YEAR, passages=[LENGTH_PASSAGE])


def test_text_that_is_too_long_is_refused_not_truncated() -> None:
    with serving(TEIServer(binary, max_words=10)) as server:
        with pytest.raises(ProviderError, match="must have less than 10 tokens"):
            detect(TEIDetector(base_url=server.base_url), BRIDGE)
        assert server.bodies[0]["truncate"] is False
        long_case = CASE.model_copy(update={"retrieval_context": (" ".join([LENGTH_PASSAGE] * 30),)})
        server.max_words = 120
        report = evaluate([long_case], ["faithfulness"], judge=f"tei:{server.base_url}#max_tokens=150")
    assert report.results[0][0].error is None


def test_slow_server_times_out_and_overload_is_retried() -> None:
    with serving(TEIServer(binary, latency=2.0)) as server:
        report = evaluate([CASE], ["faithfulness"], judge=f"tei:{server.base_url}", timeout=0.2)
    error = report.results[0][0].error
    assert error is not None
    assert error.startswith(TimedOut.__name__)
    with serving(TEIServer(binary)) as server:
        server.faults.add(rate_limited(), times=1)
        report = evaluate([CASE], ["faithfulness"], judge=f"tei:{server.base_url}")
    assert report.results[0][0].score == 0.5
    assert len(server.requests) == 2


def test_key_of_the_environment_goes_to_hosts_that_the_user_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEI_API_KEY", "detector-key-1")
    with serving(TEIServer(binary, key="detector-key-1")) as server:
        judge: Judge = get_judge(f"tei:{server.base_url}")
        report = evaluate([CASE], ["faithfulness"], judge=judge)
    assert report.results[0][0].score == 0.5
    assert "detector-key-1" not in repr(judge)
    nobody = Permissions((), list, list, list, lambda: None)  # type: ignore[arg-type, return-value]
    with restricted(nobody), pytest.raises(UsageError, match=r"names the host evil\.example"):
        get_judge("tei:http://evil.example")


def test_exam_is_of_a_judge_that_reviews_cases_itself() -> None:
    with serving(TEIServer(binary)) as server:
        spec = f"tei:{server.base_url}"
        with pytest.raises(BadOption, match="passes on to local: examine that judge"):
            exam(spec)
        report = evaluate([CASE], ["faithfulness"], judge=spec)
    assert report.run.plan.exam is None
    assert "local answers ExtractClaims, ExtractTruths" in report.to_markdown()
