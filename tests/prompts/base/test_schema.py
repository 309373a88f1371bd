import json
from typing import Any

import pytest
from tests.laws.test_prompts import build
from tests.servers.test_prompt_schemas import every_prompt

from ragstone.frozen_json import FrozenObject
from ragstone.prompts import ExtractClaims, JudgeClaims, Prompt
from ragstone.prompts.base.schema import AnswerBounds, bounded, most_entries


def test_most_entries_depends_on_the_length_of_the_text() -> None:
    assert most_entries(["word " * 40]) == 32
    assert most_entries(["word " * 2000]) is None, "no bound beyond what grammars hold"


@pytest.mark.parametrize(
    "sentence", ["図書館は月曜日に休館します。", "ห้องสมุดปิดวันจันทร์ "], ids=["Japanese", "Thai"]
)
def test_a_language_without_spaces_is_not_cut_short(sentence: str) -> None:
    prompt = ExtractClaims(text=sentence * 30)
    most = prompt.schema()["properties"]["claims"].get("maxItems")
    assert most is None or most >= 60, "two claims a sentence have room"


def test_a_schema_is_built_once_for_prompts_of_equal_counts() -> None:
    def schema(text: str, claims: int) -> Any:
        return JudgeClaims(evidence_texts=(text,), claims=(text,) * claims).schema()

    assert len({id(schema(f"text {number}", 3)) for number in range(50)}) == 1
    assert schema("text", 4) is not schema("text", 3)
    assert schema("text", 4)["properties"]["verdicts"]["maxItems"] == 4


@pytest.mark.parametrize("kind", every_prompt(), ids=lambda kind: kind.__name__)
def test_cached_schema_holds_no_evidence_of_the_prompt(kind: type[Prompt[Any]]) -> None:
    marked = build(kind, "Marked evidence. It has two sentences.").schema()
    assert isinstance(marked, FrozenObject)
    assert "Marked" not in json.dumps(marked)
    assert marked is build(kind, "Another evidence. It has two sentences.").schema()


def test_answer_bounds_accept_any_sequence_of_numbers() -> None:
    plain = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}
    for scores in (range(3), (0, 1, 2), [0, 1, 2]):
        assert bounded(plain, AnswerBounds(numbers={"score": scores}))["properties"]["score"]["enum"] == [
            0,
            1,
            2,
        ]
    assert bounded(plain, AnswerBounds(numbers={"score": [1]})) != bounded(plain, AnswerBounds())
