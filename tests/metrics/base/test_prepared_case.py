import pytest
from tests.testing.for_each import for_each

from ragstone import TestCase
from ragstone.case import Turn
from ragstone.errors import MissingField
from ragstone.metrics import AnswerRelevancy, CitationForm, ExactMatch, Faithfulness, JsonCorrectness
from ragstone.metrics.base.cases import prepared_case
from ragstone.metrics.base.metric import Metric

PASSAGE = "The lamp is 40 metres tall."
FIELDS = ("actual_output", "expected_output", "turns")


def case(output: str) -> TestCase:
    return TestCase(
        input="How tall is the lamp?",
        actual_output=output,
        expected_output=PASSAGE,
        retrieval_context=[PASSAGE],
    )


@for_each("metric", [ExactMatch(), Faithfulness(penalize_ambiguous_claims=True), AnswerRelevancy()])
def test_thoughts_are_not_measured_and_the_result_says_so(metric: Metric) -> None:
    result = metric.measure(case(f"<think>\nPerhaps 90 metres?\n</think>\n\n{PASSAGE}"))
    assert result.score == 1
    assert result.metadata["prepared"] == ["thoughts removed"]
    assert "prepared" not in metric.measure(case(PASSAGE)).metadata


@for_each("marker", [" [1]", "【4:0†source】", "[^1]", " [doc1]", " (Source 1)", " [1](https://x.org/y)"])
def test_citation_is_no_part_of_a_claim(marker: str) -> None:
    cited = case(f"The lamp is 40 metres tall{marker}.")
    result = Faithfulness(penalize_ambiguous_claims=True).measure(cited)
    assert result.score == 1
    assert result.metadata["claims"] == [PASSAGE]
    assert result.metadata["prepared"] == ["1 citation"]
    assert CitationForm().measure(cited).score == 1


def test_format_of_an_answer_is_measured_without_thoughts_and_with_its_markup() -> None:
    assert JsonCorrectness().measure(case('<think>JSON</think>{"height": [1]}')).score == 1
    assert ExactMatch().measure(case(f"**{PASSAGE}**")).score == 0


def test_output_of_thoughts_only_is_missing() -> None:
    with pytest.raises(MissingField, match="thoughts removed"):
        ExactMatch().measure(case("<think>\nPerhaps 90"))


def test_plain_case_is_not_copied() -> None:
    plain = case(PASSAGE)
    assert prepared_case(plain, "prose", FIELDS) == (plain, ())
    assert prepared_case(plain, "prose", FIELDS)[0] is plain


def test_expected_output_and_turns_are_prepared_where_they_are_needed() -> None:
    given = TestCase(
        expected_output="It is **40**.",
        turns=[Turn(role="user", content="<think>?"), Turn(role="assistant", content="<think>a</think>40")],
    )
    found, changes = prepared_case(given, "prose", FIELDS)
    assert found.expected_output == "It is 40."
    assert found.turns is not None
    assert [turn.content for turn in found.turns] == ["<think>?", "40"]
    assert changes == ("expected output: markup removed", "thoughts removed from turns")
    assert found.id == given.id
    assert prepared_case(given, "prose", ()) == (given, ())
    assert prepared_case(given, "written", FIELDS) == (given, ())
