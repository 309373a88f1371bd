from typing import Any

from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.findings.diagnosis.claims import ReviewedFault, ReviewFacts
from ragstone.findings.diagnosis.facts import facts_to_explain, read_facts
from ragstone.result import Result

GOLD = "The bridge was opened in 1902."


def case(**fields: Any) -> TestCase:
    base = {
        "input": "When?",
        "actual_output": "In 1902.",
        "expected_output": GOLD,
        "retrieval_context": ("x", "y"),
    }
    return TestCase(**{**base, **fields})


def recall(word: str = "no") -> Result:
    row = {"statement": GOLD, "verdict": word, "reason": None, "passage": 1 if word == "yes" else None}
    return Result(
        metric="ContextualRecall", spec="contextual_recall", score=0.0, metadata={"verdicts": [row]}
    )


def test_passages_are_counted_where_a_field_holds_them() -> None:
    assert read_facts(case(), []).passages == 2
    assert read_facts(case(retrieval_context=()), []).passages == 0
    assert read_facts(case(retrieval_context=(" ",), context=("gold",)), []).passages == 0
    assert read_facts(case(retrieval_context=None), []).passages is None


@for_each(
    "deep, rank",
    [
        (["a", "b", "c"], 3),
        ([{"id": "b"}, {"id": "c", "text": "?"}], 2),
        ([{"text": "other"}, {"content": f"{GOLD} "}], 2),
        (["a", "b"], None),
    ],
)
def test_the_rank_of_the_first_relevant_entry(deep: list[Any], rank: int | None) -> None:
    found = read_facts(
        case(context=(GOLD,), relevant_ids=["c"], retrieved_ids=["a"], metadata={"retrieved_deep": deep}), []
    )
    assert (found.rank, found.ranked_deep, found.k) == (rank, True, 1)


@for_each("cut", [[GOLD], [{"content": GOLD}], [{"text": f"  {GOLD.upper()}"}]])
def test_a_lost_claim_in_a_cut_passage_is_found_by_the_gold_text(cut: list[Any]) -> None:
    found = read_facts(case(context=(GOLD,), metadata={"trace": {"cut": cut}}), [recall()])
    assert found.cut_claims == (GOLD,)
    assert read_facts(case(metadata={"trace": {"cut": cut}}), [recall("yes")]).cut_claims == ()


def test_cut_claim_is_found_by_local_judge_without_gold() -> None:
    metadata = {
        "trace": {"cut": ["The old bridge was opened in 1902 by the mayor. The bridge was opened in 1902."]}
    }
    assert read_facts(case(metadata=metadata), [recall()]).cut_claims == (GOLD,)
    other = {"trace": {"cut": ["Trams run every ten minutes."]}}
    assert read_facts(case(metadata=other), [recall()]).cut_claims == ()


def test_declined_is_read_from_abstention_or_from_rules() -> None:
    measured = Result(metric="Abstention", spec="abstention", score=0.0, metadata={"declined": True})
    assert read_facts(case(), [measured]).declined
    assert not read_facts(case(), []).declined
    assert read_facts(case(actual_output="I do not know."), []).declined


def test_missing_field_does_not_count_as_failed_measurement() -> None:
    missing = Result(metric="F1", spec="rag_checker", error="MissingField: x", error_type="MissingField")
    late = Result(metric="F1", spec="rag_checker", error="TimedOut: x", error_type="TimedOut")
    toxic = Result(metric="Toxicity", spec="toxicity", error="TimedOut: x", error_type="TimedOut")
    assert not read_facts(case(), [missing]).errors
    assert read_facts(case(), [late]).not_measured
    assert not read_facts(case(), [toxic]).not_measured
    assert read_facts(case(), [toxic]).errors == (toxic,)


def test_without_an_expected_output_nothing_is_expected() -> None:
    found = read_facts(case(expected_output=None), [recall()])
    assert (found.has_reference, found.expected, found.answerable) == (False, None, None)


def test_strange_metadata_is_read_without_an_error() -> None:
    strange = {"trace": "x", "retrieved_deep": "abc", "in_corpus": "no", "answerable": 1}
    found = read_facts(case(metadata=strange), [])
    assert (found.cut, found.ranked_deep, found.in_corpus) == ((), False, None)


def reviewed(spec: str, score: float | None, metadata: Any) -> Result:
    return Result(
        metric=spec,
        spec=spec,
        score=score,
        low=score or 0,
        high=1 if score is None else score,
        threshold=1.0,
        success=score == 1,
        metadata=metadata,
    )


def test_review_of_a_case_that_missed_is_read() -> None:
    fault = {"quote": "until 8", "kind": "wrong_number", "passage": 1, "reason": "r", "span": [0, 7]}
    answer = reviewed("answer_acceptance", 0.0, {"faults": [fault, "x"], "unanswered": ["when", 3]})
    context = reviewed("context_sufficiency", 1.0, {"context": "sufficient", "deciding": [1, "x"]})
    found = read_facts(TestCase(input="q"), [answer, context]).review
    assert found == ReviewFacts((ReviewedFault("until 8", "wrong_number", 1),), ("when",), True, (1,))


@for_each("score", [1.0, None])
def test_review_of_an_accepted_or_undecided_answer_is_no_fault(score: float | None) -> None:
    results = [reviewed("answer_acceptance", score, {"faults": "x"})]
    assert read_facts(TestCase(input="q"), results).review is None


def test_lacking_context_of_an_accepted_answer_is_read() -> None:
    results = [
        reviewed("answer_acceptance", 1.0, {"faults": []}),
        reviewed("context_sufficiency", 0.0, {"context": "insufficient", "deciding": None}),
    ]
    assert read_facts(TestCase(input="q"), results).review == ReviewFacts(sufficient=False)


def test_claims_and_passages_are_read_only_of_cases_that_missed() -> None:
    passed = Result(
        metric="Toxicity", spec="toxicity", score=0.0, threshold=0.5, higher_is_better=False, success=True
    )
    refused = case(actual_output="I do not know.")
    found = facts_to_explain(refused, [passed])
    assert (found.rest, found.answerable, found.declined, found.passages) == ("passed", True, True, None)
    missed = recall().model_copy(update={"threshold": 0.5})
    assert facts_to_explain(refused, [missed]) == read_facts(refused, [missed])
    assert facts_to_explain(refused, [missed]).passages == 2
