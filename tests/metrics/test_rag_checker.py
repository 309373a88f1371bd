from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.errors import BadOption, NotApplicable
from ragstone.judges import ScriptedJudge
from ragstone.metrics import RagChecker
from ragstone.metrics.shared.claim_figures import FigureName
from ragstone.metrics.shared.claim_matrix import ClaimMatrix, TextClaims
from ragstone.prompts import ExtractClaims, LocateClaims

FIGURES = get_args(FigureName)


def matrix(
    actual: list[tuple[bool, set[int]]], expected: list[tuple[bool, set[int]]], passages: int
) -> ClaimMatrix:
    def side(rows: list[tuple[bool, set[int]]], letter: str) -> TextClaims:
        return TextClaims(
            claims=tuple(f"{letter}{n}" for n in range(len(rows))),
            by_other=tuple(follows for follows, _ in rows),
            by_passage=tuple(frozenset(found) for _, found in rows),
        )

    return ClaimMatrix(actual=side(actual, "r"), expected=side(expected, "a"), passages=passages)


# Claims of the answer: right from passage 1; wrong from passage 1; wrong from passage 3; right from nowhere; wrong from
# nowhere. Claims of the reference: in passage 1 and said; in passage 2 and unsaid; nowhere and said.
EXAMPLE = matrix(
    [(True, {1}), (False, {1}), (False, {3}), (True, set()), (False, set())],
    [(True, {1}), (False, {2}), (True, set())],
    3,
)


@for_each(
    "figure, score",
    [
        ("precision", Fraction(2, 5)),
        ("recall", Fraction(2, 3)),
        ("f1", Fraction(1, 2)),
        ("claim_recall", Fraction(2, 3)),
        ("context_precision", Fraction(2, 3)),
        ("context_utilization", Fraction(1, 2)),
        ("noise_sensitivity_in_relevant", Fraction(1, 5)),
        ("noise_sensitivity_in_irrelevant", Fraction(1, 5)),
        ("hallucination", Fraction(1, 5)),
        ("self_knowledge", Fraction(1, 5)),
        ("faithfulness", Fraction(3, 5)),
    ],
)
def test_each_figure_of_one_example(figure: FigureName, score: Fraction) -> None:
    assert RagChecker(figure=figure).score(EXAMPLE).value == pytest.approx(float(score))


ROWS = st.lists(st.tuples(st.booleans(), st.sets(st.integers(1, 4))), min_size=1, max_size=8)


@given(actual=ROWS, expected=ROWS)
def test_faithfulness_hallucination_and_self_knowledge_sum_to_one(actual: list, expected: list) -> None:
    filled = matrix(actual, expected, 4)
    parts = [
        RagChecker(figure=figure).score(filled).value or 0.0
        for figure in ("faithfulness", "hallucination", "self_knowledge")
    ]
    assert sum(parts) == pytest.approx(1)


@given(actual=ROWS, expected=ROWS)
def test_noise_plus_hallucination_is_one_minus_precision(actual: list, expected: list) -> None:
    filled = matrix(actual, expected, 4)
    value = {
        figure: RagChecker(figure=figure).score(filled).value or 0.0
        for figure in FIGURES
        if figure != "context_utilization"
    }
    noise = value["noise_sensitivity_in_relevant"] + value["noise_sensitivity_in_irrelevant"]
    assert noise + value["hallucination"] == pytest.approx(1 - value["precision"])
    assert all(0 <= number <= 1 for number in value.values())


@for_each("figure", [figure for figure in FIGURES if figure not in ("recall", "f1")])
def test_figure_of_empty_matrix_is_not_applicable(figure: FigureName) -> None:
    empty = ClaimMatrix(passages=2)
    with pytest.raises(NotApplicable, match="there are none"):
        RagChecker(figure=figure).score(empty)


def test_answer_without_claims_has_zero_recall_and_f1() -> None:
    silent = matrix([], [(False, set())], 1)
    assert RagChecker(figure="f1").score(silent).value == 0.0
    assert RagChecker(figure="recall").score(silent).value == 0.0


@for_each("figure", FIGURES)
def test_higher_is_better_depends_on_the_figure(figure: FigureName) -> None:
    low = {
        "noise_sensitivity_in_relevant",
        "noise_sensitivity_in_irrelevant",
        "hallucination",
        "self_knowledge",
    }
    assert RagChecker(figure=figure).higher_is_better is (figure not in low)
    assert RagChecker(figure=figure).title.endswith("[RAGChecker]")


def test_fields_needed_depend_on_the_figure() -> None:
    assert RagChecker(figure="precision").fields_needed == ("input", "actual_output", "expected_output")
    assert RagChecker(figure="faithfulness").fields_needed == ("input", "actual_output", "retrieval_context")
    assert RagChecker(figure="claim_recall").fields_needed == (
        "input",
        "expected_output",
        "retrieval_context",
    )


def test_a_figure_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadOption, match="claim_recall"):
        RagChecker(figure="accuracy")  # type: ignore[arg-type]


def test_the_embedded_judge_fills_the_matrix() -> None:
    case = TestCase(
        input="When was the tower built?",
        actual_output="The tower was built in 1889.",
        expected_output="The tower was built in 1889.",
        retrieval_context=["The tower was built in 1889.", "Bread is made of flour."],
    )
    result = RagChecker(figure="context_precision").measure(case, "local")
    assert result.score == 0.5
    assert RagChecker().measure(case, "local").score == 1.0


def test_undecided_claims_are_kept_as_such_in_the_metadata() -> None:
    located = [{"passages": [2], "undecided": [1]}, {"passages": [], "undecided": [2]}]
    judge = (
        ScriptedJudge()
        .respond(ExtractClaims, {"claims": ["a", "b"]})
        .respond(LocateClaims, {"verdicts": located})
    )
    case = TestCase(input="q", actual_output="x", retrieval_context=["p", "r"])
    result = RagChecker(figure="faithfulness").measure(case, judge)
    assert (result.status, result.score) == ("undecided", None)
    assert result.metadata == {
        "claims": [
            {"claim": "a", "passages": [2], "undecided": [1]},
            {"claim": "b", "passages": [], "undecided": [2]},
        ],
        "expected_claims": [],
    }
