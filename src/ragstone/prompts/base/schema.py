"""JSON schemas of answers, fit for strict structured output.

`wire_schema` returns the schema that all prompts of a class share, and that the digest of the class includes.
`AnswerBounds` adds the bounds of one prompt: the number of entries in its lists, and the allowed scores, choices and
passage numbers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ragstone.prompts.base.answer import Answer, Decisions
from ragstone.verdict import PLAIN_LABELS

_SCHEMA_KEYWORDS = ("type", "enum", "anyOf", "items", "properties")
_LAST_PROPERTIES = ("reason", "verdict", "score", "choice", "passages")
"""Properties that come last, in this order: a model that fills a schema in order reasons before it decides."""

_MAX_ENUM_NUMBERS = 200
_MAX_LIST_ENTRIES = 512
_WORDS_PER_ENTRY = 2
_BYTES_PER_WORD = 6


@dataclass(frozen=True, slots=True)
class AnswerBounds:
    """What one prompt knows of its answer beyond the answer's class.

    Attributes:
        lists: name of a list, with the least and the most entries it may have; None for no bound.
        numbers: name of a whole number, or of a list of them, with those that may stand there.
        texts: name of a text, with those that may stand there.
    """

    lists: Mapping[str, tuple[int, int | None]] = field(default_factory=dict[str, tuple[int, int | None]])
    numbers: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])


@cache
def wire_schema(
    answer: type[Answer], labels: tuple[str, ...] = (), *, numbered: bool = False, cites: bool = False
) -> Mapping[str, Any]:
    """Return the JSON schema of an answer as it is sent. Prompts share it: do not change it.

    Every object forbids other properties and requires all its own; references are inlined; titles, defaults and
    descriptions are removed; the properties that decide come last. `numbered` and `cites`: whether each decision gives
    its item's number, and names the passage it rests on.
    """
    raw = answer.model_json_schema(mode="validation")
    definitions = raw.get("$defs", {})
    excluded = {"item": not numbered, "passage": not cites} if issubclass(answer, Decisions) else {}
    fixed = {
        "verdict": {"type": "string", "enum": list(labels or PLAIN_LABELS)},
        "reason": {"type": "string"},
        "item": {"type": "integer"},
    }

    def strict(node: Any, name: str = "") -> Any:  # noqa: ANN401  (a JSON schema is any JSON)
        if "$ref" in node:
            return strict(definitions[node["$ref"].rsplit("/", 1)[-1]], name)
        if name in fixed:
            return fixed[name]
        result: dict[str, Any] = {key: node[key] for key in _SCHEMA_KEYWORDS if key in node}
        if "anyOf" in result:
            result["anyOf"] = [strict(choice) for choice in result["anyOf"]]
        if "items" in result:
            result["items"] = strict(result["items"])
        if result.get("type") == "object":
            names = [key for key in result["properties"] if not excluded.get(key)]
            names.sort(key=lambda key: _LAST_PROPERTIES.index(key) if key in _LAST_PROPERTIES else -1)
            result["properties"] = {key: strict(result["properties"][key], key) for key in names}
            result |= {"required": names, "additionalProperties": False}
        return result

    return strict(raw)


def bounded(schema: Mapping[str, Any], bounds: AnswerBounds, name: str = "") -> dict[str, Any]:
    """Return a new schema, of the property `name`, with the bounds of one prompt."""
    result = dict(schema)
    if "anyOf" in result:
        result["anyOf"] = [bounded(choice, bounds, name) for choice in result["anyOf"]]
    if "properties" in result:
        parts = result["properties"].items()
        result["properties"] = {key: bounded(part, bounds, key) for key, part in parts}
    if "items" in result:
        result["items"] = bounded(result["items"], bounds, name)
        least, most = bounds.lists.get(name, (0, None))
        result |= {"minItems": least} if least else {}
        result |= {} if most is None else {"maxItems": most}
    numbers = bounds.numbers.get(name, ())
    if result.get("type") == "integer" and 0 < len(numbers) <= _MAX_ENUM_NUMBERS:
        result["enum"] = list(numbers)
    if result.get("type") == "string" and name in bounds.texts:
        result["enum"] = list(bounds.texts[name])
    return result


def most_entries(texts: Iterable[str]) -> int | None:
    """Return how many entries a list taken from `texts` may have at most: one for every two words, and a few.

    Where a language puts no spaces between its words, six bytes count as one. The number is rounded up, so that few
    different schemas are sent; None for very long texts.
    """
    words = sum(max(len(text.split()), utf8_length(text) // _BYTES_PER_WORD) for text in texts)
    limit = 8
    while limit < words // _WORDS_PER_ENTRY + 4:
        limit *= 2
    return limit if limit <= _MAX_LIST_ENTRIES else None


def utf8_length(text: str) -> int:
    """Return the bytes that a text takes in UTF-8; an unpaired surrogate counts as one."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
