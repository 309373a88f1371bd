"""Claims and references that only their question completes."""

from typing import Any

from tests.judges.local.short_references import TRIPLES
from tests.testing.for_each import for_each

from ragstone import TestCase, evaluate
from ragstone.judges.local.answers import answer_prompt
from ragstone.judges.local.claim_support import completed_claims, reference_support
from ragstone.judges.local.support import support
from ragstone.prompts import (
    JudgeAgreement,
    JudgeCitedSentences,
    JudgeClaims,
    LocateClaims,
    RateGrounding,
    RateStatement,
)

SHEET = [
    "Cancellation needs your signature: a phone call is not sufficient. The hotel has 206 rooms on nine floors."
]


@for_each(
    "question, answer, verdicts",
    [
        ("How many rooms does the hotel have?", "206", {"yes"}),
        ("Does the hotel have rooms for dogs?", "Yes", {"idk", "undecided"}),
        ("Can I cancel by phone?", "Yes.", {"no", "idk", "undecided"}),
        ("Wie viele Zimmer hat das Hotel?", "206", {"undecided"}),
    ],
)
def test_terse_claim_is_judged_with_its_question(question: str, answer: str, verdicts: set[str]) -> None:
    texts = completed_claims(question, answer)
    assert {found.verdict for found in support(texts, SHEET)} <= verdicts


QUESTION, TERSE, WHOLE = "How many rooms does the hotel have?", "206", "The hotel does have 206 rooms."


@for_each(
    "kind, field, more",
    [
        (JudgeClaims, "claims", {"evidence_texts": SHEET}),
        (LocateClaims, "claims", {"passages": SHEET}),
        (RateStatement, "statement", {"passages": SHEET}),
        (RateGrounding, "actual_output", {"passages": SHEET}),
        (JudgeAgreement, "actual_output", {"contexts": SHEET}),
        (JudgeCitedSentences, "sentences", {"passages": SHEET, "cited": ((1,),)}),
    ],
)
def test_terse_text_beside_its_question_is_judged_as_the_whole_statement(
    kind: Any, field: str, more: dict[str, Any]
) -> None:
    more = {name: tuple(value) for name, value in more.items()}

    def answered(text: str, question: str = "") -> Any:
        value = (text,) if field in {"claims", "sentences"} else text
        return answer_prompt(kind(input=question, **{field: value}, **more))

    assert answered(TERSE, QUESTION) == answered(WHOLE)
    assert answered(TERSE, QUESTION) != answered(TERSE)


@for_each("text", ["", "Hello!", "I don't know."])
def test_text_without_a_claim_has_none(text: str) -> None:
    assert completed_claims("Who wrote it?", text) == ()


def test_short_reference_is_compared_as_an_answer() -> None:
    [found] = reference_support("Who wrote 'Faust'?", ["Johann Wolfgang von Goethe wrote 'Faust'."], "Goethe")
    assert found.verdict == "yes"


@for_each("metric", ["answer_correctness", "factual_correctness", "rag_checker"])
def test_answers_beside_short_references_are_told_apart(metric: str) -> None:
    cases = [
        TestCase(input=question, expected_output=reference, actual_output=answer, retrieval_context=["-"])
        for question, reference, answer, _ in TRIPLES
    ]
    rows = list(evaluate(cases, [metric], judge="local", store=False, workers=1, progress=False))
    right = [(row.results[0].status, right) for row, (*_, right) in zip(rows, TRIPLES, strict=True)]
    passed = sum(status == "passed" for status, is_right in right if is_right) / sum(r for _, r in right)
    missed = sum(status == "missed" for status, is_right in right if not is_right) / sum(
        not r for _, r in right
    )
    assert (passed + missed) / 2 >= 0.8
