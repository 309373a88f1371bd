from typing import Any

from tests.servers._strict_schema import AZURE, OPENAI, violations
from tests.testing.for_each import for_each

Schema = dict[str, Any]


def thing(**properties: Any) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def nested(levels: int) -> Schema:
    schema: Schema = {"type": "string"}
    for _ in range(levels):
        schema = thing(inner=schema)
    return schema


GOOD = [
    thing(),
    thing(a={"type": "string"}, b={"type": ["string", "null"], "description": "maybe"}),
    thing(a={"anyOf": [{"type": "integer"}, {"type": "null"}]}),
    thing(a={"type": "array", "items": {"$ref": "#/$defs/A"}})
    | {"$defs": {"A": thing(x={"type": "boolean"})}},
    thing(a={"type": "string", "enum": ["yes", "no"]}),
    thing(children={"type": "array", "items": {"$ref": "#"}}),
    nested(5),
]
BOUNDED = [
    thing(a={"type": "integer", "minimum": 0, "maximum": 10}),
    thing(a={"type": "array", "items": {"type": "string"}, "minItems": 3, "maxItems": 3}),
    thing(a={"type": "string", "pattern": "^a$"}),
    nested(6),
]


@for_each("schema", GOOD)
def test_strict_schemas_pass_at_openai_and_azure(schema: Schema) -> None:
    assert violations(schema, OPENAI) == []
    assert violations(schema, AZURE) == []


@for_each("schema", BOUNDED)
def test_bounds_and_deep_nesting_pass_at_openai_only(schema: Schema) -> None:
    assert violations(schema, OPENAI) == []
    assert violations(schema, AZURE) != []


@for_each(
    "schema, words",
    [
        ({"type": "array", "items": {"type": "string"}}, "at its root"),
        ({"anyOf": [thing()]}, "at its root"),
        ({"type": "object", "properties": {}, "required": []}, "In context=(), 'additionalProperties'"),
        (
            thing(a=thing() | {"additionalProperties": True}),
            "In context=('properties', 'a'), 'additionalProperties'",
        ),
        (thing(a={"type": "string"}) | {"required": []}, "Missing or extra 'a'"),
        (thing(a={"type": "string"}) | {"required": ["a", "b"]}, "Missing or extra 'b'"),
        (thing(a={"type": "string", "default": "x"}), "'default' is not permitted"),
        (thing(a={"oneOf": [{"type": "string"}]}), "'oneOf' is not permitted"),
        (thing(a={"allOf": [{"type": "string"}], "type": "string"}), "'allOf' is not permitted"),
        (thing(a={"type": "string", "minLength": 1}), "'minLength' is not permitted"),
        (
            thing(a={"type": "array", "items": {"type": "string"}, "uniqueItems": True}),
            "'uniqueItems' is not permitted",
        ),
        (thing(a={"type": "string", "format": "uri"}), "format 'uri' is not supported"),
        (thing(a={"type": "array"}), "array schema missing items"),
        (thing(a={"enum": ["x"]}), "must have a 'type' key"),
        (thing(a={}), "must have a 'type' key"),
        (thing(a={"$ref": "#/$defs/B"}), "reference can only point"),
        (
            thing(a={"$ref": "#/$defs/A", "description": "x"}) | {"$defs": {"A": thing()}},
            "$ref cannot have keywords",
        ),
        (
            thing(a={"type": "array", "items": {"$ref": "#/$defs/A"}}) | {"$defs": {"A": {"type": "object"}}},
            "'$defs', 'A'",
        ),
        (thing(a={"type": "strin"}), "is not valid under any of the given schemas"),
        (nested(11), "levels of nesting (got 11)"),
        (thing(**{f"p{i}": {"type": "string"} for i in range(5001)}), "object properties (got 5001)"),
        (thing(a={"type": "integer", "enum": list(range(1001))}), "enum values (got 1001)"),
        (
            thing(a={"type": "string", "enum": [f"{i:0100}" for i in range(251)]}),
            "the enum's strings have 25100",
        ),
        (thing(**{"n" * 120_001: {"type": "string"}}), "characters of names and values (got 120001)"),
    ],
)
def test_each_published_rule_is_enforced(schema: Schema, words: str) -> None:
    assert words in "\n".join(violations(schema))


def test_nesting_counts_through_references() -> None:
    schema = thing(a={"$ref": "#/$defs/Deep"}) | {"$defs": {"Deep": nested(10)}}
    assert any("levels of nesting (got 11)" in problem for problem in violations(schema))
