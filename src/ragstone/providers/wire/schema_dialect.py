"""The part of JSON Schema that a vendor's structured output supports; other keywords are removed before sending.

The judge checks each answer against the whole contract anyway; a bound that a vendor does not support is only not
enforced during generation.

Sources: Microsoft, "Structured outputs" for Azure OpenAI (no bounds); Anthropic, "Structured outputs" (`minItems` 0
or 1, no other bounds). OpenAI takes every bound that prompts send, and Gemini's reference of
`responseJsonSchema` lists each of them (`enum`, `minItems`, `maxItems`) as supported; Mistral documents
no list of keywords, so it gets the same bounds as OpenAI.
"""

from collections.abc import Mapping
from typing import Any, Literal

SchemaDialect = Literal["full", "azure_openai", "anthropic_native"]

_BOUNDS = frozenset(
    {"minItems", "maxItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
    | {"minLength", "maxLength", "pattern", "format", "uniqueItems"}
)


def in_dialect(schema: Mapping[str, Any], dialect: SchemaDialect) -> Mapping[str, Any]:
    """Return the schema without the keywords that the dialect lacks."""
    return schema if dialect == "full" else _reduced(schema, (0, 1) if dialect == "anthropic_native" else ())


def _reduced(schema: Any, min_items: tuple[int, ...]) -> Any:  # noqa: ANN401  (a JSON schema is any JSON)
    """Return a schema without bounds, but for `minItems` with one of these values."""
    result = {keyword: value for keyword, value in schema.items() if keyword not in _BOUNDS}
    if schema.get("minItems") in min_items:
        result["minItems"] = schema["minItems"]
    for name in ("properties", "$defs"):
        if name in result:
            result[name] = {key: _reduced(part, min_items) for key, part in result[name].items()}
    if "items" in result:
        result["items"] = _reduced(result["items"], min_items)
    if "anyOf" in result:
        result["anyOf"] = [_reduced(choice, min_items) for choice in result["anyOf"]]
    return result
