"""Upper bound on the length of an answer in tokens: generous, but it stops a rambling model within seconds.

    bound = fixed part + sum over the schema: words of each text, times the entries of each list

A list without a known length restates its evidence, so the length of the evidence, without the instruction, bounds it.
Texts are measured in bytes, since a character of a language without an alphabet takes more than one token.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ragstone.prompts.base.fence import EvidenceText
from ragstone.prompts.base.schema import utf8_length

_FIXED_TOKENS = 128
_TEXT_TOKENS = 160
"""Tokens of a text in any language."""

_TOKENS_PER_WORD = 4
_TOKENS_PER_FOREIGN_WORD = 7
"""Tokens for each word of a reason: three times what a word takes in English, or in a script that a tokenizer knows
little of. Models count words badly."""

_ENTRY_TOKENS = 80
"""Restated tokens for each entry of a list; the other fields of an entry seldom use all of their bound."""

_VALUE_TOKENS = 6
"""Tokens of a name, a number, a label or a pair of braces, with the blanks of JSON on several lines."""

_BYTES_PER_TOKEN = 2
_WORDS_PER_SHORT_ENTRY = 8
"""Words of the evidence for each entry of a list that is asked for again because it did not end."""


def tightened(schema: Mapping[str, Any], evidence: Iterable[EvidenceText]) -> dict[str, Any]:
    """Return a schema whose lists without a known length have few entries, for a model that does not end them."""
    words = sum(max(len(text.split()), utf8_length(text) // 6) for text in _texts(evidence))
    return _with_most_entries(schema, words // _WORDS_PER_SHORT_ENTRY + 2)


def _with_most_entries(schema: Mapping[str, Any], most: int) -> dict[str, Any]:
    result = dict(schema)
    if "properties" in result:
        result["properties"] = {
            name: _with_most_entries(part, most) for name, part in result["properties"].items()
        }
    if "items" in result:
        result["items"] = _with_most_entries(result["items"], most)
        if not _has_known_length(result):
            least = result.get("minItems", 0)
            result["maxItems"] = max(least, min(most, result.get("maxItems", most)))
    return result


def _texts(evidence: Iterable[EvidenceText]) -> list[str]:
    return [text for item in evidence for text in ((item,) if isinstance(item, str) else item)]


def most_tokens(schema: Mapping[str, Any], evidence: Iterable[EvidenceText], reason_words: int = 25) -> int:
    """Return the most tokens that an answer with this schema needs, with reasons of at most so many words."""
    texts = _texts(evidence)
    per_word = _TOKENS_PER_WORD if all(map(str.isascii, texts)) else _TOKENS_PER_FOREIGN_WORD
    evidence_tokens = sum(map(utf8_length, texts)) // _BYTES_PER_TOKEN
    return _FIXED_TOKENS + _tokens(schema, evidence_tokens, reason_words * per_word)


def _tokens(schema: Mapping[str, Any], evidence: int, reason: int, name: str = "") -> int:
    if "anyOf" in schema:
        return max(_tokens(choice, evidence, reason, name) for choice in schema["anyOf"])
    match schema.get("type"):
        case "object":
            parts = schema["properties"].items()
            inner = sum(_VALUE_TOKENS + _tokens(part, evidence, reason, key) for key, part in parts)
            return _VALUE_TOKENS + inner
        case "array":
            entry = _tokens(schema["items"], evidence, reason)
            if _has_known_length(schema):
                return schema["maxItems"] * entry
            # One text of each entry is part of the evidence; the other fields of an entry are added.
            other_fields = max(entry - _TEXT_TOKENS, _VALUE_TOKENS)
            return max(evidence, _TEXT_TOKENS) + (evidence // _ENTRY_TOKENS + 1) * other_fields
        case "string" if "enum" not in schema:
            return reason if name == "reason" else _TEXT_TOKENS
        case _:
            return _VALUE_TOKENS


def _has_known_length(schema: Mapping[str, Any]) -> bool:
    return schema.get("maxItems") is not None and schema.get("maxItems") == schema.get("minItems")
