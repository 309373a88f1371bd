"""How long an answer to a prompt can be: a generous bound in tokens, so that a rambling model ends in seconds.

    bound = fixed part + sum over the schema: words of each text, times the entries of each list

A list without a known length restates its evidence, so the evidence bounds it. Texts are measured in bytes, since a
character of a language without an alphabet takes more than one token.
"""

from collections.abc import Mapping
from typing import Any

_FIXED = 256
_TEXT = 160
"""Tokens of a text, such as a reason of 25 words in any language."""

_VALUE = 16
_BYTES_PER_TOKEN = 2


def most_tokens(schema: Mapping[str, Any], evidence: str) -> int:
    """Return the most tokens that an answer of that schema needs, about a message of that text."""
    restated = len(evidence.encode("utf-8", "replace")) // _BYTES_PER_TOKEN
    return _FIXED + _tokens(schema, restated)


def _tokens(schema: Mapping[str, Any], restated: int) -> int:
    if "anyOf" in schema:
        return max(_tokens(choice, restated) for choice in schema["anyOf"])
    match schema.get("type"):
        case "object":
            return _VALUE + sum(_VALUE + _tokens(part, restated) for part in schema["properties"].values())
        case "array":
            entries, entry = schema.get("maxItems"), _tokens(schema["items"], restated)
            if entries is not None and entries == schema.get("minItems"):
                return entries * entry
            return max(restated, _TEXT) + (restated // _TEXT + 1) * entry
        case "string" if "enum" not in schema:
            return _TEXT
        case _:
            return _VALUE
