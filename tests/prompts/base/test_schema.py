import json
from typing import Any

from tests.laws.test_prompts import build
from tests.servers.test_prompt_schemas import every_prompt
from tests.testing.for_each import for_each

from ragstone.prompts import ExtractClaims, Prompt
from ragstone.prompts.base.schema import AnswerBounds, bounded, most_entries


def test_most_entries_depends_on_the_length_of_the_text() -> None:
    assert most_entries(["word " * 40]) == 32
    assert most_entries(["word " * 2000]) is None, "no bound beyond what grammars hold"


@for_each("sentence", ["図書館は月曜日に休館します。", "ห้องสมุดปิดวันจันทร์ "])
def test_a_language_without_spaces_is_not_cut_short(sentence: str) -> None:
    prompt = ExtractClaims(text=sentence * 30)
    most = prompt.schema()["properties"]["claims"].get("maxItems")
    assert most is None or most >= 60, "two claims a sentence have room"


@for_each("kind", every_prompt())
def test_schema_holds_no_evidence_and_can_be_changed(kind: type[Prompt[Any]]) -> None:
    marked = build(kind, "Marked evidence. It has two sentences.").schema()
    assert "Marked" not in json.dumps(marked)
    other = build(kind, "Another evidence. It has two sentences.")
    assert marked == other.schema()
    marked.clear()
    assert other.schema(), "a schema that a provider changes is not that of another prompt"


def test_answer_bounds_accept_any_sequence_of_numbers() -> None:
    plain = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}
    for scores in (range(3), (0, 1, 2), [0, 1, 2]):
        assert bounded(plain, AnswerBounds(numbers={"score": scores}))["properties"]["score"]["enum"] == [
            0,
            1,
            2,
        ]
    assert bounded(plain, AnswerBounds(numbers={"score": [1]})) != bounded(plain, AnswerBounds())
