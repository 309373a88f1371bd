"""Each cause by hand: the smallest facts under which it holds, and that the first rule wins."""

from typing import Any, get_args

import pytest
from tests.testing.for_each import for_each

from ragstone.findings.diagnosis.causes import CAUSES, CauseName
from ragstone.findings.diagnosis.claims import AnswerClaim, ExpectedClaim, ReviewedFault, ReviewFacts
from ragstone.findings.diagnosis.facts import CaseFacts
from ragstone.findings.diagnosis.rules import REVIEWED, WITH_REFERENCE, WITHOUT_REFERENCE, find_cause
from ragstone.result import Result

FAILED = Result(metric="F1", spec="rag_checker", score=0.0)
FREE = Result(metric="CitationForm", spec="citation_form", score=0.0)
RELEVANCY = Result(metric="AnswerRelevancy", spec="answer_relevancy", score=0.0, reason="irrelevant")
NOISY = Result(metric="ContextualRelevancy", spec="contextual_relevancy", score=0.0, reason="0 of 3")
ERROR = Result(metric="F1", spec="rag_checker", error="TimedOut: late")

SEEN, LOST = ExpectedClaim("a", frozenset({1}), said=True), ExpectedClaim("b", frozenset(), said=False)
UNSAID = ExpectedClaim("c", frozenset({2}), said=False)
RIGHT = AnswerClaim("r", right=True, supported=True, passages=frozenset({1}))
AGAINST = AnswerClaim("w", right=False, supported=False, contradicted=True, against=2)
ELSEWHERE = AnswerClaim("w", right=False, supported=True, passages=frozenset({3}))
NOWHERE = AnswerClaim("w", right=False, supported=False)


def facts(**fields: Any) -> CaseFacts:
    base = {"has_reference": True, "answerable": True, "passages": 3, "missed": (FAILED,), "k": 3}
    return CaseFacts(**{**base, **fields})


@for_each(
    "fields, cause, evidence",
    [
        ({"errors": (ERROR,), "not_measured": True}, "not_measured", "F1: TimedOut: late"),
        ({"errors": (ERROR,), "missed": ()}, "not_measured", "F1: TimedOut: late"),
        ({"expected": (SEEN, LOST), "gold": ("P",), "seen": ("p ",)}, "doubtful_case", "b"),
        ({"answerable": False}, "answered_unanswerable", "the question has no answer"),
        ({"passages": 0}, "nothing_retrieved", "no passage"),
        ({"in_corpus": False, "expected": (LOST,)}, "gap", "metadata says in_corpus: false"),
        ({"expected": (LOST,), "cut": ("p",), "cut_claims": ("b",), "passages": 0}, "cut", "b"),
        ({"expected": (LOST,), "ranked_deep": True, "rank": 9}, "ranked_low", "rank 9, 3 used: b"),
        ({"expected": (LOST,), "ranked_deep": True}, "not_found", "b"),
        ({"expected": (LOST,), "ranked_deep": True, "rank": 2}, "missed", "b"),
        ({"expected": (LOST,)}, "missed", "b"),
        ({"expected": (SEEN, LOST), "claims": (AGAINST,)}, "partly_missed", "b"),
        ({"expected": (SEEN, UNSAID), "declined": True}, "refused_wrongly", "the output declines"),
        ({"expected": (SEEN, UNSAID), "claims": (RIGHT,)}, "ignored", "c"),
        ({"expected": (SEEN, UNSAID), "claims": (RIGHT, AGAINST)}, "misread", "w"),
        ({"expected": (SEEN, UNSAID), "claims": (ELSEWHERE, NOWHERE)}, "distracted", "w"),
        ({"expected": (SEEN, UNSAID), "claims": (RIGHT, NOWHERE)}, "invented", "w"),
        ({"expected": (SEEN,), "claims": (RIGHT,), "missed": (RELEVANCY,)}, "beside_the_point", "irrelevant"),
        ({"expected": (SEEN,), "claims": (RIGHT,), "missed": (FREE,)}, "form", "CitationForm: FAIL (0.0%)"),
        (
            {"expected": (SEEN,), "claims": (RIGHT,), "missed": (NOISY, FREE)},
            "irrelevant_context",
            "ContextualRelevancy: FAIL (0.0%) - 0 of 3",
        ),
        ({"expected": (SEEN,), "claims": (RIGHT,)}, "other", "F1: FAIL (0.0%)"),
    ],
)
def test_each_cause_with_an_expected_output(fields: dict[str, Any], cause: str, evidence: str) -> None:
    name, found = find_cause(facts(**fields))
    assert (name, found.text) == (cause, evidence)


@for_each(
    "fields, cause",
    [
        ({"passages": 0}, "nothing_retrieved"),
        ({"irrelevant": NOISY, "claims": (NOWHERE,)}, "irrelevant_context"),
        ({"claims": (AnswerClaim("w", supported=False, contradicted=True, against=1),)}, "misread"),
        ({"claims": (AnswerClaim("w", supported=False),)}, "invented"),
        ({"claims": (), "declined": True, "answerable": None}, "refused_wrongly"),
        ({"claims": (AnswerClaim("w", supported=True),), "missed": (RELEVANCY,)}, "beside_the_point"),
        ({"missed": (FREE,)}, "form"),
        ({"missed": (NOISY,)}, "irrelevant_context"),
        ({}, "other"),
    ],
)
def test_each_cause_without_an_expected_output(fields: dict[str, Any], cause: str) -> None:
    assert find_cause(facts(has_reference=False, **fields))[0] == cause


def test_the_evidence_names_the_passage() -> None:
    assert find_cause(facts(expected=(SEEN,), claims=(AGAINST,)))[1].passage == 2
    assert find_cause(facts(expected=(SEEN,), claims=(ELSEWHERE,)))[1].passage == 3
    assert find_cause(facts(expected=(UNSAID,), claims=()))[1].passage == 2


def test_wrong_claim_stated_by_another_passage_is_distracted() -> None:
    both = AnswerClaim(
        "w", right=False, supported=True, passages=frozenset({3}), contradicted=True, against=1
    )
    assert find_cause(facts(expected=(SEEN,), claims=(both,)))[0] == "distracted"


def test_refusal_of_unanswerable_question_is_not_refused_wrongly() -> None:
    assert find_cause(facts(answerable=False, declined=True))[0] == "other"


def test_causes_and_rules_match_in_name_and_order() -> None:
    assert tuple(CAUSES) == get_args(CauseName)
    ruled = {name for name, _ in (*WITH_REFERENCE, *WITHOUT_REFERENCE)}
    assert ruled | {"other"} == set(CAUSES)
    order = [
        name for name, rule in WITH_REFERENCE if name != "irrelevant_context" and (name, rule) not in REVIEWED
    ]
    assert order == [name for name in CAUSES if name in order], (
        "they are tried in the order in which they are listed"
    )


def test_a_retriever_is_not_blamed_for_what_the_judge_cannot_tell() -> None:
    unread = ExpectedClaim("e", passages=None, said=False)
    assert find_cause(facts(expected=(unread,), claims=()))[0] == "other"
    name, found = find_cause(facts(expected=(unread, LOST), claims=()))
    assert (name, found.text) == ("partly_missed", "b")


def test_the_evidence_sets_the_answer_beside_what_the_passage_says() -> None:
    seen = ("The bridge was opened in 1912. It is long.", "The bridge was closed in 1950.")
    against = AnswerClaim(
        "It was opened in 1921.", supported=False, contradicted=True, against=1, span=(0, 30)
    )
    evidence = find_cause(facts(claims=(against,), seen=seen, expected=(SEEN,)))[1]
    assert evidence.lines == (
        ("answer says", "It was opened in 1921."),
        ("passage 1 says", "The bridge was opened in 1912."),
    )
    elsewhere = AnswerClaim("w", right=False, supported=True, passages=frozenset({2}))
    assert find_cause(facts(claims=(elsewhere,), seen=seen, expected=(SEEN,)))[1].lines[1] == (
        "passage 2 says",
        "The bridge was closed in 1950.",
    )
    unsaid = find_cause(facts(expected=(UNSAID,), claims=(), seen=seen))[1]
    assert unsaid.sentence == "expected output says: c / passage 2 says: The bridge was closed in 1950."
    assert find_cause(facts(expected=(LOST,)))[1].lines == (("expected output says", "b"),)
    assert find_cause(facts(passages=0))[1].lines == (("", "no passage"),)


def fault(kind: str, passage: int | None = None) -> ReviewFacts:
    return ReviewFacts(faults=(ReviewedFault("until 8", kind, passage),), sufficient=True)


@pytest.mark.parametrize("has_reference", [True, False])
@for_each(
    "review, cause, evidence",
    [
        (ReviewFacts(sufficient=False), "missed", "the passages lack what a right answer needs"),
        (
            ReviewFacts(sufficient=False, deciding=(1,), unanswered=("when",)),
            "partly_missed",
            "the passages hold only a part of what a right answer needs",
        ),
        (fault("wrong_number", 1), "misread", "answer says: until 8 / passage 1 says: Open until 6."),
        (fault("wrong_product", 1), "distracted", "answer says: until 8 / passage 1 says: Open until 6."),
        (fault("invented"), "invented", "answer says: until 8"),
        (fault("answered_without_evidence"), "invented", "answer says: until 8"),
        (fault("refused_though_answerable"), "refused_wrongly", "answer says: until 8"),
        (fault("incomplete"), "ignored", "answer says: until 8"),
        (fault("beside_the_question"), "beside_the_point", "answer says: until 8"),
        (ReviewFacts(unanswered=("when",), sufficient=True), "ignored", "not answered: when"),
        (fault("other"), "other", "F1: FAIL (0.0%)"),
    ],
)
def test_review_decides_the_cause_without_claims(
    review: ReviewFacts, cause: str, evidence: str, *, has_reference: bool
) -> None:
    name, found = find_cause(facts(has_reference=has_reference, review=review, seen=("Open until 6.",)))
    assert (name, found.sentence) == (cause, evidence)


def test_claims_of_the_expected_output_tell_more_of_the_retriever_than_the_review() -> None:
    name, _ = find_cause(facts(expected=(SEEN, UNSAID), review=ReviewFacts(sufficient=False)))
    assert name == "ignored"
