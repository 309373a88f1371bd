"""The part of JSON Schema that a vendor's structured output supports; other keywords are removed before sending.

The judge checks each answer against the whole contract anyway; a bound that a vendor does not support is only not
enforced during generation.

Sources: Microsoft, "Structured outputs" for Azure OpenAI (no bounds); Anthropic, "Structured outputs" (`minItems` 0
or 1, no other bounds). OpenAI takes every bound that prompts send, and Gemini's reference of
`responseJsonSchema` lists each of them (`enum`, `minItems`, `maxItems`) as supported; Mistral documents
no list of keywords, so it gets the same bounds as OpenAI.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

SchemaDialect = Literal["full", "azure_openai", "anthropic_native"]

_BOUNDS = frozenset(
    {"minItems", "maxItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
    | {"minLength", "maxLength", "pattern", "format", "uniqueItems"}
)


def in_dialect(schema: Mapping[str, Any], dialect: SchemaDialect) -> Mapping[str, Any]:
    """Return the schema without the keywords that the dialect lacks."""
    keeps = _FILTERS.get(dialect)
    return schema if keeps is None else _reduced(schema, keeps)


def _no_bounds(keyword: str, _value: object) -> bool:
    return keyword not in _BOUNDS


def _only_min_items(keyword: str, value: object) -> bool:
    return keyword not in _BOUNDS or (keyword == "minItems" and value in {0, 1})


Keeps = Callable[[str, object], bool]
_FILTERS: Mapping[str, Keeps] = {"azure_openai": _no_bounds, "anthropic_native": _only_min_items}


def _reduced(schema: Any, keeps: Keeps) -> Any:  # noqa: ANN401  (a JSON schema is any JSON)
    result = {keyword: value for keyword, value in schema.items() if keeps(keyword, value)}
    for name in ("properties", "$defs"):
        if name in result:
            result[name] = {key: _reduced(part, keeps) for key, part in result[name].items()}
    if "items" in result:
        result["items"] = _reduced(result["items"], keeps)
    if "anyOf" in result:
        result["anyOf"] = [_reduced(choice, keeps) for choice in result["anyOf"]]
    return result
