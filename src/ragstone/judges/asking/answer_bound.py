"""How long an answer to a prompt can be: a generous bound in tokens, so that a rambling model ends in seconds.

    bound = fixed part + sum over the schema: words of each text, times the entries of each list

A list without a known length restates its evidence, so the evidence bounds it, the instruction aside. Texts are
measured in bytes, since a character of a language without an alphabet takes more than one token.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ragstone.prompts.base.fence import EvidenceText

_FIXED = 128
_TEXT = 160
"""Tokens of a text, such as a reason of 25 words in any language."""

_ENTRY = 80
"""Restated tokens for each entry of a list, whose other fields seldom take all their room."""

_VALUE = 16
_BYTES_PER_TOKEN = 2


def most_tokens(schema: Mapping[str, Any], evidence: Iterable[EvidenceText]) -> int:
    """Return the most tokens that an answer of that schema needs, about these texts."""
    texts = (text for one in evidence for text in ((one,) if isinstance(one, str) else one))
    restated = sum(len(text.encode("utf-8", "replace")) for text in texts) // _BYTES_PER_TOKEN
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
            # One text of each entry is part of the evidence; what else an entry holds comes on top.
            beside = max(entry - _TEXT, _VALUE)
            return max(restated, _TEXT) + (restated // _ENTRY + 1) * beside
        case "string" if "enum" not in schema:
            return _TEXT
        case _:
            return _VALUE
