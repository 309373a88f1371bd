import asyncio

import pytest
from tests.metrics.words import decisions
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import NotApplicable
from ragstone.judges import ScriptedJudge
from ragstone.metrics import AnswerAccuracy, parse
from ragstone.metrics.base.cases import best_over_references, best_score
from ragstone.prompts import ExtractClaims, JudgeClaims, LocateClaims, RateAccuracy
from ragstone.score import Score

REFERENCES = ["About forty metres.", "It is 40 metres tall.", "40 m"]
CASE = TestCase(
    input="How tall is it?",
    actual_output="It is 40 metres tall.",
    expected_output=REFERENCES[0],
    retrieval_context=["It is 40 metres tall."],
    metadata={"expected_outputs": REFERENCES},
)


@for_each(
    "spec",
    ["exact_match", "bleu", "rouge", "chrf", "edit_similarity", "string_presence", "semantic_similarity"],
)
def test_the_best_of_several_references_counts(spec: str) -> None:
    result = parse(spec).measure(CASE, ScriptedJudge())
    assert result.score == pytest.approx(1.0)
    assert result.metadata["reference"] == REFERENCES[1]
    alone = CASE.model_copy(update={"metadata": {}})
    assert (parse(spec).measure(alone, ScriptedJudge()).score or 0.0) < 1


@for_each("spec", ["exact_match", "bleu", "rouge", "chrf", "edit_similarity"])
def test_composed_and_decomposed_letters_are_equal(spec: str) -> None:
    case = TestCase(
        input="q", actual_output="A caf\u00e9 on the old quay", expected_output="A cafe\u0301 on the old quay"
    )
    assert parse(spec).measure(case, ScriptedJudge()).score == pytest.approx(1.0)


def judge_by_references() -> ScriptedJudge:
    """Return a judge that finds every claim in the second reference, and in no other."""
    judge = ScriptedJudge().respond(ExtractClaims, {"claims": ["It is 40 metres tall."]})
    judge.respond(LocateClaims, {"verdicts": [{"reason": "", "passages": [1]}]})
    judge.respond(r"passages:\n1\| It is 40 metres tall", decisions("yes"))
    return judge.respond(JudgeClaims, decisions("no"))


@for_each(
    "spec, best",
    [
        ("answer_correctness(weights=(1, 0))", 1.0),
        ("factual_correctness", 1.0),
        ("rag_checker(figure='precision')", 1.0),
        ("rag_checker(figure='hallucination')", 0.0),
        ("noise_sensitivity", 0.0),
    ],
)
def test_claims_are_compared_with_each_reference_and_the_best_counts(spec: str, best: float) -> None:
    metric = parse(spec)
    result = metric.measure(CASE, judge_by_references())
    assert result.score == best
    first = CASE.model_copy(update={"metadata": {}})
    alone = metric.measure(first, judge_by_references())
    assert result.usage.calls > alone.usage.calls


def test_figure_without_an_expected_output_asks_once() -> None:
    case = CASE.model_copy(update={"expected_output": None})
    assert parse("rag_checker(figure='faithfulness')").measure(case, judge_by_references()).score == 1.0


def test_accuracy_shows_all_references_in_one_request() -> None:
    judge = ScriptedJudge().respond(RateAccuracy, {"reason": "r", "score": 4})
    result = AnswerAccuracy().measure(CASE, judge)
    assert result.usage.calls == 2
    listed = "1| About forty metres.\n2| It is 40 metres tall.\n3| 40 m\n"
    assert f"reference:\n{listed}" in judge.prompts[0]
    assert f"answer A:\n{listed}" in judge.prompts[1]
    assert all("the one that fits best counts" in prompt for prompt in judge.prompts)
    AnswerAccuracy().measure(CASE.model_copy(update={"metadata": {}}), judge)
    assert "fits best" not in judge.prompts[2]


@for_each(
    "scores, higher_is_better, value, bounds",
    [
        ([Score(0.2, ""), Score(0.8, "")], True, 0.8, (0.8, 0.8)),
        ([Score(0.2, ""), Score(0.8, "")], False, 0.2, (0.2, 0.2)),
        ([Score(0.6, ""), Score(0.5, "", low=0.4, high=0.9)], True, 0.6, (0.6, 0.9)),
        ([Score(0.6, ""), Score(None, "")], True, 0.6, (0.6, 1.0)),
        ([Score(0.6, ""), Score(None, "")], False, 0.6, (0.0, 0.6)),
        ([Score(None, ""), Score(None, "", low=0.5)], True, None, (0.5, 1.0)),
    ],
)
def test_undecided_reference_widens_the_bounds_of_the_best(
    scores: list[Score],
    higher_is_better: bool,  # noqa: FBT001  (a parameter of a test)
    value: float | None,
    bounds: tuple[float, float],
) -> None:
    best = best_score(scores, higher_is_better=higher_is_better)
    assert (best.value, best.bounds) == (value, bounds)


def test_reference_without_anything_to_measure_is_passed_over() -> None:
    async def assess(case: TestCase) -> Score:
        if case.expected_output != REFERENCES[2]:
            raise NotApplicable(f"nothing in {case.expected_output}")
        return Score(0.5, "")

    found = asyncio.run(best_over_references(assess, CASE, higher_is_better=True))
    assert (found.value, found.metadata["reference"]) == (0.5, REFERENCES[2])
    others = CASE.model_copy(update={"metadata": {"expected_outputs": REFERENCES[:2]}})
    with pytest.raises(NotApplicable, match="forty"):
        asyncio.run(best_over_references(assess, others, higher_is_better=True))
