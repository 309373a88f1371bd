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
    descriptions are removed; the properties that decide come last.

    Args:
        answer: the answer's class.
        labels: the allowed verdicts; yes, no and idk if empty.
        numbered: whether each decision gives its item's number.
        cites: whether each decision names the passage it rests on.
    """
    raw = answer.model_json_schema(mode="validation")
    excluded = set[str]()
    if issubclass(answer, Decisions):
        excluded = ({"item"} if not numbered else set[str]()) | ({"passage"} if not cites else set[str]())
    builder = _SchemaBuilder(raw.get("$defs", {}), labels or tuple(PLAIN_LABELS), frozenset(excluded))
    return builder.strict(raw)


def bounded(schema: Mapping[str, Any], bounds: AnswerBounds) -> dict[str, Any]:
    """Return a new schema with the bounds of one prompt."""
    return _add_bounds(schema, "", bounds)


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


class _SchemaBuilder:
    def __init__(
        self, definitions: Mapping[str, Any], labels: tuple[str, ...], excluded: frozenset[str]
    ) -> None:
        self._definitions = definitions
        self._labels = labels
        self._excluded = excluded

    def strict(self, node: Any, name: str = "") -> Any:  # noqa: ANN401  (a JSON schema is any JSON)
        """Return a part of a schema without references, with the keywords that every vendor accepts.

        Args:
            node: the part.
            name: the property that it describes; empty for the whole schema.
        """
        if "$ref" in node:
            return self.strict(self._definitions[node["$ref"].rsplit("/", 1)[-1]], name)
        result: dict[str, Any] = {key: node[key] for key in _SCHEMA_KEYWORDS if key in node}
        if name == "verdict":
            return {"type": "string", "enum": list(self._labels)}
        if name == "reason":
            return {"type": "string"}
        if name == "item":
            return {"type": "integer"}
        if "anyOf" in result:
            result["anyOf"] = [self.strict(choice) for choice in result["anyOf"]]
        if "items" in result:
            result["items"] = self.strict(result["items"])
        if result.get("type") == "object":
            names = [key for key in result["properties"] if key not in self._excluded]
            names.sort(key=lambda key: _LAST_PROPERTIES.index(key) if key in _LAST_PROPERTIES else -1)
            result["properties"] = {key: self.strict(result["properties"][key], key) for key in names}
            result["required"] = names
            result["additionalProperties"] = False
        return result


def _add_bounds(node: Any, name: str, bounds: AnswerBounds) -> Any:  # noqa: ANN401  (a JSON schema is any JSON)
    result = dict(node)
    if "anyOf" in result:
        result["anyOf"] = [_add_bounds(choice, name, bounds) for choice in result["anyOf"]]
    match result.get("type"):
        case "object":
            result["properties"] = {
                key: _add_bounds(part, key, bounds) for key, part in result["properties"].items()
            }
        case "array":
            result["items"] = _add_bounds(result["items"], name, bounds)
            min_items, max_items = bounds.lists.get(name, (0, None))
            result |= {"minItems": min_items} if min_items else {}
            result |= {"maxItems": max_items} if max_items is not None else {}
        case "integer" if 0 < len(bounds.numbers.get(name, ())) <= _MAX_ENUM_NUMBERS:
            result["enum"] = list(bounds.numbers[name])
        case "string" if name in bounds.texts:
            result["enum"] = list(bounds.texts[name])
        case _:
            pass
    return result
