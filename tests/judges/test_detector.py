import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.judges.detection.tables import BRIDGE, HISTORY_PASSAGE, LENGTH_PASSAGE, RAILWAY, YEAR, Table
from tests.testing.for_each import for_each

from ragstone import TestCase, evaluate
from ragstone.audit import AskPrompt, tune
from ragstone.errors import BadOption, CannotJudge, ProviderError
from ragstone.judges import CascadeJudge, Detection, DetectorJudge, ScriptedJudge, get_judge
from ragstone.judges.asking.stored_reply import read_stored_reply, reply_json
from ragstone.judges.detector import SUPPORT_PROMPTS
from ragstone.metrics import AnswerCorrectness, FactualCorrectness, Faithfulness, Hallucination
from ragstone.prompts import ExtractClaims, FillForm, JudgeClaims, Prompt
from ragstone.verdict import Verdict

RATING = FillForm(steps=("s",), case_fields=(("actual output", "a"),))
PASSAGES = (LENGTH_PASSAGE, HISTORY_PASSAGE)
CASE = TestCase(
    input="How long is the bridge?",
    actual_output=f"{BRIDGE} {YEAR}",
    expected_output=BRIDGE,
    retrieval_context=list(PASSAGES),
    context=list(PASSAGES),
)
CITING = CASE.model_copy(
    update={"actual_output": "The bridge is 90 metres long [1]. It was built in 1930 [2]."}
)


def verdicts_on(judge: DetectorJudge, *claims: str, passages: Sequence[str] = PASSAGES) -> list[Verdict]:
    prompt = JudgeClaims(evidence_texts=tuple(passages), input="How long?", claims=claims)
    return list(asyncio.run(judge.ask(prompt)).answer.on(claims))


@for_each(
    "metric, case, score, bounds",
    [
        ("faithfulness", CASE, 1 / 2, (1 / 2, 1 / 2)),
        ("contextual_recall", CASE, 1.0, (1.0, 1.0)),
        ("hallucination", CASE, None, (0.0, 1.0)),
        ("groundedness", CASE, (3 + 1) / 6, ((3 + 1) / 6, (3 + 1) / 6)),
        ("response_groundedness", CASE, 1 / 2, (1 / 2, 1 / 2)),
        ("citation_recall", CITING, 1 / 2, (1 / 2, 1 / 2)),
        ("citation_precision", CITING, 1 / 2, (1 / 2, 1 / 2)),
        ("noise_sensitivity", CASE, 0.0, (0.0, 0.0)),
    ],
)
def test_known_probabilities_give_known_scores(
    metric: str, case: TestCase, score: float | None, bounds: tuple[float, float]
) -> None:
    table = Table(
        {(BRIDGE, LENGTH_PASSAGE): 0.95, (BRIDGE, BRIDGE): 0.97, (BRIDGE, f"{BRIDGE} {YEAR}"): 0.97}
    )
    (result,) = evaluate([case], [metric], judge=table).results[0]
    assert result.error is None
    assert result.score == (None if score is None else pytest.approx(score))
    assert (result.low, result.high) == pytest.approx(bounds)


def test_every_prompt_about_support_reaches_the_detector() -> None:
    asked = {
        prompt
        for metric in (
            "faithfulness",
            "contextual_recall",
            "hallucination",
            "groundedness",
            "response_groundedness",
            "citation_recall",
            "citation_precision",
            "noise_sensitivity",
        )
        for prompt in SUPPORT_PROMPTS
        if prompt in _metric(metric).prompts
    }
    assert asked == set(SUPPORT_PROMPTS)


def _metric(spec: str) -> Any:
    from ragstone.metrics.base.selection import parse_metrics  # noqa: PLC0415

    return parse_metrics(spec)[0]


def test_probability_decides_outside_its_band() -> None:
    found = verdicts_on(DetectorJudge(detector=Table()), BRIDGE, RAILWAY, YEAR)
    assert [(item.verdict, item.probability, item.passage) for item in found] == [
        ("yes", 0.95, 1),
        ("undecided", 0.55, 1),
        ("idk", 0.04, 1),
    ]
    assert found[1].reason == "too close to call, 55% likely to be supported"
    decided = verdicts_on(DetectorJudge(detector=Table(), threshold=0.4), RAILWAY)
    assert decided[0].verdict == "yes"
    always = verdicts_on(DetectorJudge(detector=Table(), band=0), RAILWAY)
    assert always[0].verdict == "yes"


def test_detector_of_contradictions_tells_them_from_what_is_not_mentioned() -> None:
    table = Table(contradicted={(YEAR, HISTORY_PASSAGE): 0.9, (RAILWAY, HISTORY_PASSAGE): 0.5})
    judge = DetectorJudge(detector=table)
    found = verdicts_on(judge, BRIDGE, YEAR, "It is red.", passages=[HISTORY_PASSAGE, LENGTH_PASSAGE])
    assert [(item.verdict, item.contradiction_unknown) for item in found] == [
        ("yes", None),
        ("no", None),
        ("idk", None),
    ]
    (unsure,) = verdicts_on(judge, RAILWAY, passages=[HISTORY_PASSAGE])
    assert (unsure.verdict, unsure.contradiction_unknown) == ("idk", True)
    result = Hallucination().measure(CASE, judge=judge)
    assert result.score == 1 / 2  # the history passage contradicts it


def test_binary_detector_never_says_contradicted() -> None:
    (found,) = verdicts_on(DetectorJudge(detector=Table()), YEAR)
    assert (found.verdict, found.contradiction_unknown) == ("idk", True)
    lenient = Faithfulness(penalize_ambiguous_claims=False).measure(CASE, judge=Table())
    assert (lenient.score, lenient.low, lenient.high) == (1.0, 1 / 2, 1.0)
    assert [verdict.verdict for verdict in lenient.verdicts] == ["yes", "undecided"]
    strict = Faithfulness().measure(CASE, judge=Table())
    assert (strict.score, strict.low, strict.high) == (1 / 2, 1 / 2, 1 / 2)


def test_wrong_claims_stay_open_where_only_contradictions_count() -> None:
    said = [Verdict("a", "yes"), Verdict("b", "idk", contradiction_unknown=True)]
    wanted = [Verdict("c", "yes")]
    found = FactualCorrectness(mode="precision").score(said, wanted)
    assert (found.value, found.bounds) == (1.0, (1 / 2, 1.0))
    answer = AnswerCorrectness(weights=(1, 0)).score(said, wanted, 0.0)
    assert (answer.value, answer.bounds) == (1.0, (pytest.approx(2 / 3), 1.0))
    plain = FactualCorrectness(mode="precision").score([said[0], Verdict("b", "idk")], wanted)
    assert plain.bounds == (1.0, 1.0)


def test_next_judge_is_asked_what_the_detector_leaves_open() -> None:
    second = ScriptedJudge(name="second").respond(
        JudgeClaims, {"verdicts": [{"item": 1, "reason": "r", "passage": 1, "verdict": "contradicted"}]}
    )
    judge = CascadeJudge(judges=[DetectorJudge(detector=Table()), second])
    reply = asyncio.run(judge.ask(JudgeClaims(evidence_texts=PASSAGES, claims=(BRIDGE, RAILWAY, YEAR))))
    assert [item.verdict for item in reply.answer.verdicts] == ["yes", "no", "idk"]
    assert [item.evidence.judge for item in reply.answer.verdicts] == ["table", "second", "table"]
    assert judge.judge_of(ExtractClaims) == "local,second"


def test_other_prompts_go_to_the_other_judge_and_the_plan_says_so() -> None:
    table = Table()
    report = evaluate([CASE], ["faithfulness"], judge=table)
    assert report.run.plan.judge == "table"
    assert report.run.plan.judges["ExtractClaims"] == "local"
    assert "JudgeClaims" not in report.run.plan.judges
    with pytest.raises(CannotJudge):
        asyncio.run(DetectorJudge(detector=table).ask(RATING))
    other = ScriptedJudge(name="other").respond(FillForm, {"reason": "r", "score": 7})
    judge = DetectorJudge(detector=table, others=other)
    reply = asyncio.run(judge.ask(RATING))
    assert reply.answer.score == 7
    assert judge.judge_of(FillForm) == "other"


def test_long_passages_are_read_in_windows() -> None:
    filler = "The town has a long history that nobody wrote down. "
    long_passage = filler * 20 + LENGTH_PASSAGE
    table = Table(max_tokens=80)
    verdicts_on(DetectorJudge(detector=table), BRIDGE, passages=[HISTORY_PASSAGE, long_passage])
    windows = [passages for _, passages, _ in table.calls]
    assert len(windows) > 5
    last = windows[-1][-1]
    table.scores = {(BRIDGE, last): 0.95}
    (found,) = verdicts_on(DetectorJudge(detector=table), BRIDGE, passages=[HISTORY_PASSAGE, long_passage])
    assert (found.verdict, found.passage) == ("yes", 2)
    assert found.span is not None
    assert long_passage[slice(*found.span)] == last
    assert last.endswith(LENGTH_PASSAGE)


def test_text_in_a_language_that_was_not_declared_is_undecided() -> None:
    italian = (
        "Il ponte è lungo novanta metri e la città non ha una storia che sia stata scritta dagli abitanti."
    )
    reader = Table(languages=["English"])
    (found,) = verdicts_on(DetectorJudge(detector=reader), italian, passages=[italian])
    assert found.verdict == "undecided"
    assert found.reason == "not judged: the text seems to be Italian; table reads English"
    assert not reader.calls
    (found,) = verdicts_on(DetectorJudge(detector=Table(languages=["Italian"])), italian, passages=[italian])
    assert found.verdict == "idk"


class Declared(Table):
    name = "declared"
    blind_spots = ("It does not read numbers.",)


def test_blind_spots_are_notes_of_the_report() -> None:
    report = evaluate([CASE], ["faithfulness"], judge=Declared())
    assert report.run.notes == ("The judge declared: It does not read numbers.",)
    assert "It does not read numbers." in report.to_markdown()
    row = CascadeJudge(judges=[DetectorJudge(detector=Declared()), ScriptedJudge(name="s")])
    assert list(row.blind_spots) == ["declared: It does not read numbers."]


def test_threshold_of_a_metric_is_tuned_without_examples() -> None:
    chances = [0.62, 0.7, 0.75, 0.8, 0.9, 0.95, 0.3, 0.35, 0.2, 0.25, 0.1, 0.15] * 3
    claims = [f"House {number} is {number} metres high." for number in range(len(chances))]
    table = Table({(claim, LENGTH_PASSAGE): chance for claim, chance in zip(claims, chances, strict=True)})
    cases = [
        TestCase(
            input="How high?",
            actual_output=claim,
            retrieval_context=[LENGTH_PASSAGE],
            metadata={"label": int(chance > 0.6)},
        )
        for claim, chance in zip(claims, chances, strict=True)
    ]
    found = tune(
        AskPrompt(prompt="judge_claims", threshold=0.99), cases, judge=table, judge_spec="table", folds=2
    )
    assert found.chosen == "threshold"
    assert found.tuning is not None
    assert found.tuning.threshold is not None
    assert 0.35 < found.tuning.threshold <= 0.62
    assert not found.tuning.guidance


def test_nothing_retrieved_supports_nothing() -> None:
    table = Table()
    (found,) = verdicts_on(DetectorJudge(detector=table), BRIDGE, passages=[""])
    assert (found.verdict, found.contradiction_unknown) == ("idk", None)
    assert not table.calls


class Async:
    async def detect(
        self, statements: Sequence[str], passages: Sequence[str], question: str
    ) -> list[Detection]:
        assert question == "How long?"
        return [Detection(0.9)] * (len(statements) * len(passages))


def test_async_detector_is_awaited() -> None:
    (found,) = verdicts_on(DetectorJudge(detector=Async()), BRIDGE, passages=[LENGTH_PASSAGE])
    assert (found.verdict, found.passage) == ("yes", 1)


@for_each(
    "detections, words",
    [
        ([], "returned 0 detections for 1 statements"),
        ([Detection(1.5)], "probabilities are 0 to 1"),
        ([Detection(0.5, float("nan"))], "probabilities are 0 to 1"),
        ([Detection(0.5, None, 3)], "passages are 1 to 2"),
    ],
)
def test_unusable_detections_are_errors(detections: list[Detection], words: str) -> None:
    class Wrong:
        def detect(self, *given: Any) -> list[Detection]:  # noqa: ARG002
            return detections

    with pytest.raises(ProviderError, match=words):
        verdicts_on(DetectorJudge(detector=Wrong()), BRIDGE)


@for_each(
    "numbers, words",
    [
        ({"threshold": 0}, "threshold=0 is no probability"),
        ({"threshold": 0.05}, "band=0.1 leaves no verdict at threshold 0.05"),
        ({"band": -0.1}, "band=-0.1"),
    ],
)
def test_invalid_numbers_are_rejected(numbers: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOption, match=words):
        DetectorJudge(detector=Table(), **numbers)


def test_names_say_what_changes_verdicts() -> None:
    assert get_judge(Table()).name == "table"
    assert DetectorJudge(detector=Table(), threshold=0.4, band=0.05).name == "table#threshold=0.4&band=0.05"
    assert DetectorJudge(detector=Async(), name="mine").name == "mine"


def test_stored_replies_keep_what_is_open() -> None:
    prompt: Prompt[Any] = JudgeClaims(evidence_texts=PASSAGES, claims=(BRIDGE, YEAR))
    reply = asyncio.run(DetectorJudge(detector=Table()).ask(prompt))
    stored = read_stored_reply(reply_json(reply), prompt)
    assert stored is not None
    assert [item.evidence.contradiction_unknown for item in stored.answer.verdicts] == [None, True]
    read = Verdict.from_dict(stored.answer.on((BRIDGE, YEAR))[1].as_dict())
    assert read is not None
    assert read.contradiction_unknown is True


class Online(Table):
    works_offline = False


class Named(Online):
    fingerprint = "table 1"


def test_detector_with_a_fingerprint_is_cached(tmp_path: Path) -> None:
    table = Named()
    for _ in range(2):
        evaluate([CASE], ["faithfulness"], judge=table, cache=tmp_path / "answers.sqlite3")
    assert len(table.calls) == 1
    with pytest.raises(BadOption, match="table cannot be cached"):
        evaluate([CASE], ["faithfulness"], judge=Online(), cache=tmp_path / "answers.sqlite3")
