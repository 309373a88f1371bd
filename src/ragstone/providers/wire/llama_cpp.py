"""llama.cpp's own server behind OpenAI's wire format: how it is recognised, and what its grammar can enforce.

Its grammar supports tuples and lengths of texts, which OpenAI's strict subset lacks. With them a small model cannot
number verdicts out of order, leave a text empty or give an endless reason.

Its log-probabilities are those before the grammar is applied. If the model prefers other tokens, the labels of
verdicts rank low among the alternatives, so more alternatives are requested than OpenAI allows.
"""

import re
from collections.abc import Mapping
from typing import Any, cast

LLAMA_CPP = "llama.cpp"
"""Name of the recognised server, stored for the run beside the parameters that it does not support."""

ALTERNATIVES = 100
"""Number of alternatives to each token, if any are requested."""

_FINGERPRINT = re.compile(r"b\d+-[0-9a-f]+")
_CHARACTERS_PER_WORD = 10


def recognise(timings: object, fingerprint: object) -> str:
    """Return `LLAMA_CPP` if two fields of an answer have the form that only that server writes, else nothing."""
    has_timings = (
        isinstance(timings, dict) and {"prompt_n", "predicted_n"} <= cast("dict[str, object]", timings).keys()
    )
    has_fingerprint = isinstance(fingerprint, str) and _FINGERPRINT.fullmatch(fingerprint)
    return LLAMA_CPP if has_timings and has_fingerprint else ""


def in_grammar(schema: Mapping[str, Any], reason_words: int) -> Mapping[str, Any]:
    """Return a schema with constraints for the grammar: numbers in order, no empty text, no endless reason."""
    return _constrained(schema, "", reason_words)


def _constrained(schema: Any, name: str, reason_words: int) -> Any:  # noqa: ANN401  (a JSON schema is any JSON)
    result: dict[str, Any] = dict(schema)
    if "anyOf" in result:
        result["anyOf"] = [_constrained(choice, name, reason_words) for choice in result["anyOf"]]
    match result.get("type"):
        case "object":
            parts = result["properties"].items()
            result["properties"] = {key: _constrained(part, key, reason_words) for key, part in parts}
        case "array":
            entry = _constrained(result["items"], name, reason_words)
            return _as_tuple(result, entry) or result | {"items": entry}
        case "string" if "enum" not in result:
            return result | (
                {"maxLength": reason_words * _CHARACTERS_PER_WORD} if name == "reason" else {"minLength": 1}
            )
        case _:
            pass
    return result


def _as_tuple(schema: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the schema of a list of numbered entries as a tuple; None if they are not numbered."""
    numbers: list[int] = entry.get("properties", {}).get("item", {}).get("enum", [])
    if not numbers or not len(numbers) == schema.get("minItems") == schema.get("maxItems"):
        return None
    entries = [
        {**entry, "properties": {**entry["properties"], "item": {"type": "integer", "enum": [number]}}}
        for number in numbers
    ]
    return {"type": "array", "prefixItems": entries}
