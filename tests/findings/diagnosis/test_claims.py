from typing import Any

from ragstone.findings.diagnosis.claims import AnswerClaim, ExpectedClaim, answer_claims, expected_claims
from ragstone.result import Result


def verdict(statement: str, word: str, passage: int | None = None) -> dict[str, Any]:
    return {"statement": statement, "verdict": word, "reason": None, "passage": passage}


def result(spec: str, score: float | None = 0.5, **metadata: Any) -> Result:
    return Result(metric=spec, spec=spec, score=score, metadata=metadata)


def test_rag_checker_claims_of_several_figures_are_merged() -> None:
    found = answer_claims(
        [
            result(
                "rag_checker", claims=[{"claim": "a", "supported": True}, {"claim": "b", "supported": False}]
            ),
            result("rag_checker(figure='faithfulness')", claims=[{"claim": "b", "passages": [2]}]),
        ]
    )
    assert found == (
        AnswerClaim("a", right=True),
        AnswerClaim("b", right=False, supported=True, passages=frozenset({2})),
    )


def test_faithfulness_adds_contradictions_to_rag_checker_claims() -> None:
    matrix = result("rag_checker", claims=[{"claim": "a", "supported": False, "passages": []}])
    judged = result(
        "faithfulness(evidence='context')", verdicts=[verdict("a", "no", 3), verdict("other", "idk")]
    )
    assert answer_claims([judged, matrix]) == (
        AnswerClaim("a", right=False, supported=False, contradicted=True, against=3),
    )
    assert answer_claims([judged]) == (
        AnswerClaim("a", supported=False, contradicted=True, against=3),
        AnswerClaim("other", supported=False),
    )


def test_a_claim_with_a_supporting_passage_is_not_contradicted() -> None:
    matrix = result("rag_checker", claims=[{"claim": "a", "passages": [1]}])
    claims = answer_claims([matrix, result("faithfulness", verdicts=[verdict("a", "no", 2)])])
    assert claims
    claim = claims[0]
    assert claim.passages == {1}
    assert not claim.contradicted


def test_answer_claim_wrong() -> None:
    assert AnswerClaim("a", right=False, supported=True).wrong
    assert not AnswerClaim("a", right=True, supported=False).wrong
    assert AnswerClaim("a", supported=False).wrong
    assert not AnswerClaim("a").wrong


def test_claims_are_none_without_a_claim_metric() -> None:
    assert answer_claims([result("exact_match")]) is None
    assert answer_claims([result("faithfulness", 1.0, verdicts=[])]) == ()
    assert answer_claims([result("faithfulness", None)]) is None
    assert expected_claims([result("exact_match")]) is None


def test_expected_claims_from_the_matrix() -> None:
    rows = [{"claim": "a", "supported": True}, {"claim": "b", "supported": False}]
    places = [{"claim": "a", "passages": [1, 2]}, {"claim": "b", "passages": []}]
    found = expected_claims(
        [
            result("rag_checker", expected_claims=rows),
            result("rag_checker(figure='claim_recall')", expected_claims=places),
        ]
    )
    assert found == (
        ExpectedClaim("a", frozenset({1, 2}), said=True),
        ExpectedClaim("b", frozenset(), said=False),
    )


def test_expected_claims_from_recall_and_factual_correctness() -> None:
    recall = result("contextual_recall", verdicts=[verdict("a", "yes", 2), verdict("b", "no")])
    assert expected_claims([recall]) == (
        ExpectedClaim("a", frozenset({2})),
        ExpectedClaim("b", frozenset()),
    )
    said = result(
        "factual_correctness", verdicts=[], expected_verdicts=[verdict("a", "yes"), verdict("b", "no")]
    )
    assert expected_claims([recall, said]) == (
        ExpectedClaim("a", frozenset({2}), said=True),
        ExpectedClaim("b", frozenset(), said=False),
    )


def test_differently_split_claims_are_merged_only_without_lost_claims() -> None:
    split = result(
        "factual_correctness", verdicts=[], expected_verdicts=[verdict("x", "no"), verdict("y", "yes")]
    )
    all_seen = result("contextual_recall", verdicts=[verdict("a", "yes", 2), verdict("b", "yes", 1)])
    assert expected_claims([split, all_seen]) == (
        ExpectedClaim("x", frozenset({1, 2}), said=False),
        ExpectedClaim("y", frozenset({1, 2}), said=True),
    )
    one_lost = result("contextual_recall", verdicts=[verdict("a", "yes", 2), verdict("b", "no")])
    assert expected_claims([split, one_lost]) == (
        ExpectedClaim("a", frozenset({2})),
        ExpectedClaim("b", frozenset()),
    )


def test_metadata_from_any_file_is_read_without_an_error() -> None:
    strange = result(
        "rag_checker", claims=["x", {"claim": 3, "passages": "1"}, None], expected_claims={"a": 1}
    )
    assert answer_claims([strange]) == (AnswerClaim("3", supported=False),)
    assert expected_claims([strange]) is None


def test_what_the_judge_cannot_tell_is_not_known_of_a_claim() -> None:
    undecided = Result(
        metric="rag_checker",
        spec="rag_checker",
        low=0.0,
        high=1.0,
        metadata={
            "claims": [{"claim": "a", "supported": None, "passages": [], "undecided": [2]}],
            "expected_claims": [{"claim": "e", "supported": None, "passages": [], "undecided": [1, 2]}],
        },
    )
    assert answer_claims([undecided]) == (AnswerClaim("a"),)
    assert expected_claims([undecided]) == (ExpectedClaim("e"),)
    judged = result("faithfulness", verdicts=[verdict("a", "undecided", 1), verdict("b", "undecided", 1)])
    assert answer_claims([judged]) == (AnswerClaim("a"), AnswerClaim("b"))
    assert answer_claims([result("factual_correctness", verdicts=[verdict("a", "undecided")])]) == (
        AnswerClaim("a"),
    )
    recall = result("contextual_recall", verdicts=[verdict("e", "undecided", 1), verdict("f", "idk")])
    assert expected_claims([recall]) == (ExpectedClaim("e"), ExpectedClaim("f", frozenset()))


def test_a_passage_that_surely_supports_a_claim_counts_beside_undecided_ones() -> None:
    matrix = result("rag_checker", claims=[{"claim": "a", "passages": [3], "undecided": [1]}])
    assert answer_claims([matrix]) == (AnswerClaim("a", supported=True, passages=frozenset({3})),)
