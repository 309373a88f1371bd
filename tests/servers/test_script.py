import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.servers._numbered import count_numbered
from tests.servers.script import Ask, Script, ScriptError, every, schema_in, turns
from tests.testing.for_each import for_each

ENTRY = {
    "type": "object",
    "properties": {
        "number": {"type": "integer"},
        "statement": {"type": "string"},
        "reason": {"type": ["string", "null"]},
        "passage": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "verdict": {"type": "string", "enum": ["yes", "no", "idk"]},
    },
    "required": ["number", "statement", "reason", "passage", "verdict"],
    "additionalProperties": False,
}


def asking(schema: dict[str, Any] | None, user: str = "1. a\n2. b\n3. c") -> Ask:
    return Ask("openai", "m", "You are a judge.", user, schema, {})


def rooted(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def test_verdict_words_become_schema_objects() -> None:
    schema = rooted(verdicts={"type": "array", "items": ENTRY})
    answer = Script(verdicts=["yes", {"verdict": "no", "passage": 7}]).answer(asking(schema))
    Draft202012Validator(schema).validate(answer)
    assert [entry["number"] for entry in answer["verdicts"]] == [1, 2]
    assert [entry["passage"] for entry in answer["verdicts"]] == [1, 7]
    assert [entry["verdict"] for entry in answer["verdicts"]] == ["yes", "no"]


def test_references_are_followed() -> None:
    schema = rooted(verdicts={"type": "array", "items": {"$ref": "#/$defs/Entry"}}) | {
        "$defs": {"Entry": ENTRY}
    }
    assert Script(verdicts=["idk"]).answer(asking(schema))["verdicts"][0]["passage"] is None


def test_answer_has_only_properties_of_the_schema() -> None:
    script = Script(claims=["a"], truths=["b"], noncommittal=False)
    assert script.answer(asking(rooted(claims={"type": "array", "items": {"type": "string"}}))) == {
        "claims": ["a"]
    }


@for_each(
    "answers, words",
    [
        ({}, "asks for 'verdicts'"),
        ({"verdicts": ["perhaps"]}, "verdicts/0/verdict"),
        ({"verdicts": "yes"}, "breaks the schema at verdicts"),
    ],
)
def test_unanswerable_schema_raises_script_error(answers: dict[str, Any], words: str) -> None:
    with pytest.raises(ScriptError, match=words):
        Script(**answers).answer(asking(rooted(verdicts={"type": "array", "items": ENTRY})))


def test_when_pattern_in_prompt_selects_the_answer() -> None:
    schema = rooted(score={"type": "integer"})
    script = Script(score=1).when("Einstein", score=9).when("Ein.*Ulm", score=5)
    assert [script.answer(asking(schema, user))["score"] for user in ("x", "Einstein\nUlm", "Ein\nUlm")] == [
        1,
        9,
        5,
    ]


def test_turns_and_functions_give_successive_answers() -> None:
    schema = rooted(score={"type": "integer"})
    script = Script(score=turns(3, lambda ask: ask.items, 5))
    assert [script.answer(asking(schema))["score"] for _ in range(4)] == [3, 3, 5, 5]


def test_as_many_verdicts_as_items() -> None:
    items = {"type": "array", "items": ENTRY}
    assert len(Script(verdicts=every("yes")).answer(asking(rooted(verdicts=items)))["verdicts"]) == 3
    fixed = rooted(verdicts=items | {"minItems": 2, "maxItems": 2})
    assert len(Script(verdicts=every("yes")).answer(asking(fixed))["verdicts"]) == 2


def test_schema_in_the_prompt_is_used_when_none_is_sent() -> None:
    schema = rooted(score={"type": "integer"})
    text = f'Evidence: {{"a": 1}} {{broken\nAnswer by this schema:\n{json.dumps(schema, indent=2)}\nNow.'
    assert schema_in(text) == schema
    assert Script(score=2).answer(asking(None, text)) == {"score": 2}
    with pytest.raises(ScriptError, match="no schema"):
        Script(score=2).answer(asking(None, "Just talk."))


@for_each(
    "text, count",
    [
        ("no list", 0),
        ("1. a\n2. b", 2),
        ("[1] a\n[2] b\n[3] c", 3),
        ("Steps:\n1. x\n2. y\n\nClaims:\n1. a", 1),
        ("1) a\n   2) b\n7) c", 2),
        ("In 1999. x\n(1) a", 1),
        (
            "evidence:\n1| a\n2| b\n3| c\n\nclaims:\n1| x\n1| still x\n2| y\n\ninput:\n| 1. no\n| 2| no",
            2,
        ),
        ("1. a step\n2. a step\n\nclaims:\n1| x", 1),
        ("claims:\n" + "\n".join(f"{i}| x" for i in range(1, 13)), 12),
    ],
)
def test_numbered_items_are_counted_in_the_last_list(text: str, count: int) -> None:
    assert count_numbered(text) == count
