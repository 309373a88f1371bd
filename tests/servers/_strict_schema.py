"""The rules vendors publish for the schemas of strict structured output, as one walk over a schema.

Sources: OpenAI, "Structured model outputs", section "Supported schemas" (root object, every field
required, `additionalProperties: false`, 5,000 properties, 10 levels, 120,000 characters of names and
values, 1,000 enum values, 15,000 characters in an enum of more than 250 strings); Microsoft, "Structured
outputs" for Azure OpenAI (100 properties, 5 levels, no bounds on strings, numbers or arrays).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.servers._json_schema import schema_error

_STRUCTURE = frozenset(
    {
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "const",
        "anyOf",
        "$ref",
        "$defs",
    }
    | {"definitions", "description", "title"}
)
_BOUNDS = frozenset(
    {
        "pattern",
        "format",
        "multipleOf",
        "maximum",
        "exclusiveMaximum",
        "minimum",
        "exclusiveMinimum",
        "minItems",
        "maxItems",
    }
)
_FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})
_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
_LONG_ENUM = 250

Path = tuple[str, ...]


@dataclass(frozen=True)
class Dialect:
    """One vendor's subset of JSON Schema."""

    keywords: frozenset[str]
    max_properties: int
    max_depth: int
    max_characters: int = 120_000
    max_enum_values: int = 1_000
    max_long_enum_characters: int = 15_000


OPENAI = Dialect(_STRUCTURE | _BOUNDS, max_properties=5_000, max_depth=10)
AZURE = Dialect(_STRUCTURE, max_properties=100, max_depth=5)


def violations(schema: Mapping[str, Any], dialect: Dialect = OPENAI) -> list[str]:
    """Every rule the schema breaks, in the vendor's manner of speaking; empty where it is strict."""
    error = schema_error(schema)
    if error is not None:
        return [f"{_context(tuple(map(str, error.absolute_path)))}, {error.message}"]
    walk = _Walk(schema, dialect)
    found = list(_root(schema))
    found += walk.broken(schema, ())
    return found + list(walk.limits())


def _root(schema: Mapping[str, Any]) -> Iterator[str]:
    if schema.get("type") != "object" or "anyOf" in schema:
        shown = f"type: {schema.get('type')!r}" if "anyOf" not in schema else "'anyOf'"
        yield f"schema must be a JSON Schema of 'type: \"object\"' at its root, got {shown}."


class _Walk:
    def __init__(self, root: Mapping[str, Any], dialect: Dialect) -> None:
        self.root, self.dialect = root, dialect
        self.properties = self.characters = self.enum_values = 0

    def broken(self, schema: Any, path: Path) -> Iterator[str]:
        if not isinstance(schema, Mapping):
            yield f"{_context(path)}, a schema must be an object, got {schema!r}."
            return
        yield from self._keywords(schema, path)
        if "$ref" in schema:
            yield from self._reference(schema, path)
        elif "anyOf" in schema:
            for place, branch in enumerate(schema["anyOf"]):
                yield from self.broken(branch, (*path, "anyOf", str(place)))
        else:
            yield from self._typed(schema, path)
        for name in ("$defs", "definitions"):
            for key, definition in schema.get(name, {}).items():
                self.characters += len(key)
                yield from self.broken(definition, (*path, name, key))

    def _keywords(self, schema: Mapping[str, Any], path: Path) -> Iterator[str]:
        allowed = self.dialect.keywords if path else self.dialect.keywords | {"$schema"}
        for keyword in schema:
            if keyword not in allowed:
                yield f"{_context(path)}, '{keyword}' is not permitted."
        if "format" in schema and schema["format"] not in _FORMATS:
            yield f"{_context(path)}, format '{schema['format']}' is not supported."
        values = schema.get("enum", [schema["const"]] if "const" in schema else [])
        lengths = sum(len(value) for value in values if isinstance(value, str))
        self.enum_values += len(schema.get("enum", ()))
        self.characters += lengths
        if len(values) > _LONG_ENUM and lengths > self.dialect.max_long_enum_characters:
            yield f"{_context(path)}, the enum's strings have {lengths} characters in all, too many."

    def _reference(self, schema: Mapping[str, Any], path: Path) -> Iterator[str]:
        siblings = sorted(set(schema) - {"$ref", "$defs", "definitions"})
        if siblings:
            yield f"{_context(path)}, $ref cannot have keywords {siblings}."
        target: Any = self.root
        for part in schema["$ref"].removeprefix("#").strip("/").split("/"):
            if part and (not isinstance(target, Mapping) or part not in target):
                yield f"{_context(path)}, reference can only point into this schema: {schema['$ref']!r}."
                return
            target = target[part] if part else target

    def _typed(self, schema: Mapping[str, Any], path: Path) -> Iterator[str]:
        types = schema.get("type", ())
        types = {types} if isinstance(types, str) else set(types)
        if not types or not types <= _TYPES:
            yield f"{_context(path)}, schema must have a 'type' key."
        if "object" in types:
            yield from self._object(schema, path)
        if "array" in types:
            if "items" not in schema:
                yield f"{_context(path)}, array schema missing items."
            else:
                yield from self.broken(schema["items"], (*path, "items"))

    def _object(self, schema: Mapping[str, Any], path: Path) -> Iterator[str]:
        properties = schema.get("properties", {})
        if schema.get("additionalProperties") is not False:
            yield f"{_context(path)}, 'additionalProperties' is required to be supplied and to be false."
        missing = sorted(set(properties) ^ set(schema.get("required", ())))
        if missing:
            yield (
                f"{_context(path)}, 'required' is required to be supplied and to be an array including "
                f"every key in properties. Missing or extra '{missing[0]}'."
            )
        for name, prop in properties.items():
            self.properties += 1
            self.characters += len(name)
            yield from self.broken(prop, (*path, "properties", name))

    def limits(self) -> Iterator[str]:
        """What holds for the schema as a whole."""
        for what, count, most in (
            ("object properties", self.properties, self.dialect.max_properties),
            ("levels of nesting", _depth(self.root, self.root, frozenset()), self.dialect.max_depth),
            ("characters of names and values", self.characters, self.dialect.max_characters),
            ("enum values", self.enum_values, self.dialect.max_enum_values),
        ):
            if count > most:
                yield f"schema exceeds the limit of {most} {what} (got {count})."


def _depth(schema: Any, root: Mapping[str, Any], followed: frozenset[str]) -> int:
    """Levels of objects inside each other, references followed; a reference to itself ends there."""
    if not isinstance(schema, Mapping):
        return 0
    reference = schema.get("$ref")
    if reference is not None:
        if reference in followed:
            return 0
        target: Any = root
        for part in filter(None, reference.removeprefix("#").split("/")):
            target = target.get(part, {})
        return _depth(target, root, followed | {reference})
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ()), schema.get("items")]
    below = max((_depth(part, root, followed) for part in inner), default=0)
    return below + ("properties" in schema)


def _context(path: Path) -> str:
    return f"In context={path}"
