from typing import Any

import pytest
from pydantic import ValidationError
from tests.testing.for_each import for_each

from ragstone.prompts import Claims, Decisions, ExtractClaims, ExtractTruths, FormRating, parse_answer
from ragstone.prompts.base.schema import wire_schema


def test_the_schema_is_strict_and_has_no_references() -> None:
    schema = wire_schema(Decisions)
    item = schema["properties"]["verdicts"]["items"]
    assert list(item["properties"]) == ["reason", "verdict"]
    assert item["required"] == ["reason", "verdict"]
    assert item["additionalProperties"] is False
    assert schema["additionalProperties"] is False
    assert "$defs" not in schema
    assert item["properties"]["verdict"]["enum"] == ["yes", "no", "idk"]


def test_internal_fields_are_not_in_the_wire_schema() -> None:
    assert set(wire_schema(FormRating)["properties"]) == {"reason", "score"}
    with pytest.raises(ValueError, match="unexpected properties"):
        parse_answer(
            '{"verdicts": [{"reason": null, "verdict": "yes", "evidence": {"passage": 1}}]}', Decisions
        )
    with pytest.raises(ValueError, match="unexpected properties"):
        parse_answer('{"reason": "r", "score": 1, "distribution": {"1": 1.0}}', FormRating)


@for_each("score", ["true", '"seven"', "7.5", "null"])
def test_a_score_is_a_whole_number(score: str) -> None:
    with pytest.raises(ValueError, match="score"):
        parse_answer(f'{{"reason": "r", "score": {score}}}', FormRating)


@for_each("score", ["7", '"7"', "7.0"])
def test_whole_number_score_may_be_text_or_float(score: str) -> None:
    assert parse_answer(f'{{"reason": "r", "score": {score}}}', FormRating).score == 7


def test_answers_are_frozen() -> None:
    with pytest.raises(ValidationError):
        Decisions.of("yes").verdicts = ()  # type: ignore[misc]


def test_decisions_pair_one_to_one_with_statements() -> None:
    assert [verdict.statement for verdict in Decisions.of("yes", "no").on(("a", "b"))] == ["a", "b"]
    with pytest.raises(ValueError, match="zip"):
        Decisions.of("yes").on(("a", "b"))


@for_each(
    "prompt, text, expected",
    [
        (ExtractClaims(text="It opened."), '{"claims": ["", "It opened.", " "]}', ("It opened.",)),
        (
            ExtractTruths(passages=("It opened.",)),
            '{"truths": [{"passage": 1, "fact": ""}, {"passage": 1, "fact": "It opened."}]}',
            ("It opened.",),
        ),
    ],
)
def test_blank_claims_and_truths_are_left_out(prompt: Any, text: str, expected: tuple[str, ...]) -> None:
    answer = prompt.parse(text)
    assert (answer.claims if isinstance(answer, Claims) else answer.facts) == expected
    with pytest.raises(ValueError, match="at least 1 character"):
        prompt.parse('{"claims": [" "]}' if "claims" in text else '{"truths": [{"passage": 1, "fact": ""}]}')
