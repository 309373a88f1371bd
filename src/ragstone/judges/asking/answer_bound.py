"""How long an answer to a prompt can be: a generous bound in tokens, so that a rambling model ends in seconds.

    bound = fixed part + sum over the schema: words of each text, times the entries of each list

A list without a known length restates its evidence, so the evidence bounds it, the instruction aside. Texts are
measured in bytes, since a character of a language without an alphabet takes more than one token.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from ragstone.frozen_json import FrozenObject
from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.schema import utf8_length

_FIXED = 128
_TEXT = 160
"""Tokens of a text, such as a reason of 25 words in any language."""

_ENTRY = 80
"""Restated tokens for each entry of a list, whose other fields seldom take all their room."""

_VALUE = 16
_BYTES_PER_TOKEN = 2
_MOST_SCHEMAS = 1024
"""Schemas whose bound is remembered."""


def most_tokens(schema: Mapping[str, Any], evidence: Iterable[EvidenceText]) -> int:
    """Return the most tokens that an answer of that schema needs, about these texts."""
    if isinstance(schema, FrozenObject) and (known := _known(schema)) is not None:
        return known
    texts = (text for one in evidence for text in ((one,) if isinstance(one, str) else one))
    return _FIXED + _tokens(schema, sum(map(utf8_length, texts)) // _BYTES_PER_TOKEN)


@lru_cache(_MOST_SCHEMAS)
def _known(schema: FrozenObject) -> int | None:
    """Return the bound where the schema alone decides it: each list has a known length."""
    return None if _restates(schema) else _FIXED + _tokens(schema, 0)


def _restates(schema: Mapping[str, Any]) -> bool:
    """Return whether an answer holds a list without a known length, whose entries restate the evidence."""
    if "anyOf" in schema:
        return any(map(_restates, schema["anyOf"]))
    match schema.get("type"):
        case "object":
            return any(map(_restates, schema["properties"].values()))
        case "array":
            return not _has_known_length(schema) or _restates(schema["items"])
        case _:
            return False


def _has_known_length(schema: Mapping[str, Any]) -> bool:
    return schema.get("maxItems") is not None and schema.get("maxItems") == schema.get("minItems")


def _tokens(schema: Mapping[str, Any], restated: int) -> int:
    if "anyOf" in schema:
        return max(_tokens(choice, restated) for choice in schema["anyOf"])
    match schema.get("type"):
        case "object":
            return _VALUE + sum(_VALUE + _tokens(part, restated) for part in schema["properties"].values())
        case "array":
            entry = _tokens(schema["items"], restated)
            if _has_known_length(schema):
                return schema["maxItems"] * entry
            # One text of each entry is part of the evidence; what else an entry holds comes on top.
            beside = max(entry - _TEXT, _VALUE)
            return max(restated, _TEXT) + (restated // _ENTRY + 1) * beside
        case "string" if "enum" not in schema:
            return _TEXT
        case _:
            return _VALUE
