import pytest
from tests.metrics.words import verdicts

from ragstone import TestCase
from ragstone.errors import UnreadableAnswer
from ragstone.judges import ScriptedJudge
from ragstone.metrics import ContextualRecall
from ragstone.prompts import AttributeStatements

CASE = TestCase(
    input="What is AI?",
    expected_output="AI, also known as Artificial Intelligence, is used to build complex systems.",
    retrieval_context=["NVIDIA makes chips for AI.", "AI is an acronym for Artificial Intelligence."],
)


def attributed(*found: tuple[str, int | None]) -> dict:
    return {
        "verdicts": [
            {"statement": f"statement {n}", "reason": None, "verdict": word, "passage": passage}
            for n, (word, passage) in enumerate(found, 1)
        ]
    }


def test_one_of_two_statements_attributable_is_a_half() -> None:
    judge = ScriptedJudge().respond(AttributeStatements, attributed(("yes", 2), ("no", None)))
    result = ContextualRecall().measure(CASE, judge)
    assert result.score == 0.5
    assert result.usage.calls == 1


def test_two_of_three_statements_supported_is_two_thirds() -> None:
    assert ContextualRecall().score(verdicts("yes", "yes", "no")).value == pytest.approx(2 / 3)


def test_facts_metadata_names_the_covering_passage() -> None:
    judge = ScriptedJudge().respond(AttributeStatements, attributed(("yes", 2), ("no", 1)))
    assert ContextualRecall().measure(CASE, judge).metadata["facts"] == [
        {"fact": "statement 1", "covered": True, "source_context": 2},
        {"fact": "statement 2", "covered": False, "source_context": None},
    ]


def test_verdict_on_unknown_passage_is_asked_again() -> None:
    judge = ScriptedJudge().respond(AttributeStatements, [attributed(("yes", 3)), attributed(("yes", 1))])
    assert ContextualRecall().measure(CASE, judge).score == 1.0
    assert "There is no passage 3" in judge.prompts[1]


def test_no_statements_of_expected_output_is_unreadable() -> None:
    judge = ScriptedJudge().respond(AttributeStatements, attributed())
    with pytest.raises(UnreadableAnswer):
        ContextualRecall().measure(CASE, judge)


def test_undecided_does_not_count_as_supported() -> None:
    assert ContextualRecall().score(verdicts("yes", "idk")).value == 0.5
