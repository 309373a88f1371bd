from itertools import product
from typing import Any

from tests.findings.sample import POLICY, case, claims, result
from tests.testing.for_each import for_each

from ragstone.findings.view.findings import Quote, findings, quotation


def test_contradicted_claims_come_first_with_a_quote() -> None:
    item = case(1)
    measured = result(item, 0.3, metadata=claims())
    contradicted, unmentioned = findings(item, measured)
    assert (contradicted.word, contradicted.passage) == ("contradicted", 1)
    assert quotation(item, measured, contradicted) == Quote(
        "Policy 4.2: Employees may work from home ", "up to 3 days per week", ", as agreed with the team."
    )
    assert (unmentioned.word, unmentioned.passage, unmentioned.span) == ("not mentioned", None, None)


def test_of_several_sentences_only_the_one_that_decides_is_quoted() -> None:
    passage = "Policy 4.2 of 2024. You may work from home up to 3 days per week. The canteen is closed."
    item = case(1).model_copy(update={"retrieval_context": (passage,)})
    told = {
        "statement": "Five days a week from home.",
        "verdict": "no",
        "passage": 1,
        "span": [0, len(passage)],
    }
    (found,) = findings(item, result(item, 0.3, metadata={"verdicts": [told]}))
    quote = quotation(item, result(item, 0.3), found)
    assert quote is not None
    assert quote.span == "You may work from home up to 3 days per week."


def test_passage_verdicts_have_a_number_and_no_statement() -> None:
    item = case(1)
    metadata = {
        "verdicts": [
            {"statement": POLICY[2], "verdict": "no", "reason": "Canteen.", "passage": 3, "span": None}
        ]
    }
    (finding,) = findings(item, result(item, 0.3, metric="ContextualPrecision", metadata=metadata))
    assert (finding.word, finding.statement, finding.passage) == ("not useful", None, 3)


def test_idk_statements_are_not_answer_relevancy_findings() -> None:
    item = case(1)
    metadata = {"verdicts": [{"statement": "Hi.", "verdict": "idk"}, {"statement": "Bye.", "verdict": "no"}]}
    assert [
        found.statement
        for found in findings(item, result(item, 0.3, metric="AnswerRelevancy", metadata=metadata))
    ] == ["Bye."]


def test_factual_correctness_findings_have_no_quote() -> None:
    item = case(1)
    metadata = {"verdicts": [{"statement": "A.", "verdict": "no", "passage": 1, "span": [0, 3]}]}
    (finding,) = findings(item, result(item, 0.3, metric="FactualCorrectness", metadata=metadata))
    assert (finding.word, finding.passage, finding.span) == ("contradicted", None, None)


def test_custom_metric_finding_has_the_raw_verdict() -> None:
    item = case(1)
    metadata = {"verdicts": [{"statement": "A.", "verdict": "no"}]}
    assert findings(item, result(item, 0.3, metric="Mine", metadata=metadata))[0].word == "no"


@for_each(
    "verdicts",
    [None, "no", [None, 1, "no"], [{"verdict": "maybe"}], [{"verdict": ["no"]}], {"verdict": "no"}],
)
def test_malformed_verdicts_are_ignored(verdicts: object) -> None:
    item = case(1)
    assert findings(item, result(item, 0.3, metadata={"verdicts": verdicts})) == []


@for_each(
    "span, passage",
    product(
        [None, "ab", [0], [5, 2], [-1, 3], [0, 9999], ["0", "3"], [0, 1, 2], [0.5, 2]],
        [1, 0, -1, 99, None, "1", 1.0],
    ),
)
def test_invalid_span_or_passage_gives_no_quote(span: Any, passage: Any) -> None:
    item = case(1)
    metadata = {"verdicts": [{"statement": "A.", "verdict": "no", "passage": passage, "span": span}]}
    assert findings(item, result(item, 0.3, metadata=metadata))[0].span is None
