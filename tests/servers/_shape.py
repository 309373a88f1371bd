"""Short scripted values become whole answers: "yes" is a verdict object where the schema wants an object.

Only what a test does not care about is filled in (a reason, a running number, a passage); a word the
schema does not know stays as it is, so that validation catches it.
"""

from collections.abc import Mapping
from typing import Any

import ragstone.prompts
from ragstone.prompts import Prompt

LABELS = {
    label: value
    for prompt in (getattr(ragstone.prompts, name) for name in ragstone.prompts.__all__)
    if isinstance(prompt, type) and issubclass(prompt, Prompt)
    for label, value in prompt.labels.items()
}
"""Every label of every prompt, with the verdict that it stands for."""

RUNNING_NUMBERS = frozenset({"number", "item", "index", "id", "no", "n", "claim_number", "statement_number"})


class ScriptError(Exception):
    """A script without a valid answer for the schema it should fill: the test is wrong, or the schema."""


def shaped(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], position: int = 1) -> Any:
    """`value` in the shape of `schema`; `position` (1-based) is its place in the list it stands in."""
    schema = resolved(schema, root)
    if schema.get("type") == "array" and isinstance(value, list | tuple):
        return [shaped(entry, schema.get("items", {}), root, place) for place, entry in enumerate(value, 1)]
    if schema.get("type") != "object":
        return _label(value, schema)
    properties = schema.get("properties", {})
    alone = "fact" if "fact" in properties else "verdict"
    given = dict(value) if isinstance(value, Mapping) else {alone: value}
    return given | {
        name: shaped(given[name], prop, root, position)
        if name in given
        else _filled(name, resolved(prop, root), given, position)
        for name, prop in properties.items()
    }


def _label(value: Any, schema: Mapping[str, Any]) -> Any:
    """The label of the schema that stands for a scripted yes, no or idk; any other value as it is."""
    labels = schema.get("enum", ())
    if value in labels or value not in ("yes", "no", "idk"):
        return value
    return next((label for label in labels if LABELS.get(label) == value), value)


def resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow a local `$ref`; of an `anyOf`, take the first branch that is not null."""
    while "$ref" in schema:
        target: Any = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        schema = target
    branches = [branch for branch in schema.get("anyOf", ()) if branch.get("type") != "null"]
    if branches:
        return {**resolved(branches[0], root), "nullable": len(branches) < len(schema["anyOf"])}
    return schema


def _filled(name: str, schema: Mapping[str, Any], given: Mapping[str, Any], position: int) -> Any:
    nullable = schema.get("nullable") or "null" in schema.get("type", ())
    if name == "reason":
        return "The script says so."
    if name in RUNNING_NUMBERS:
        return position
    if name == "passage":
        return 1 if LABELS.get(given.get("verdict", "")) == "yes" or not nullable else None
    if name in {"statement", "claim", "question"}:
        return f"Scripted {name} {position}."
    if nullable:
        return None
    raise ScriptError(f"entry {position} of the script lacks {name!r}, which the schema requires")
