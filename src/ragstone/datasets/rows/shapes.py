"""Unfolding of rows with nested or paired fields into flat rows, before the names are mapped.

- LangSmith: `{inputs: {…}, outputs: {…}, reference_outputs: {…}}`, also as columns `inputs.question`. Phoenix and
  Langfuse: `{input: {…}, output: {…}, expectedOutput: {…}}`, in CSV as JSON in the cells. The only text of a
  group is its value under any name; otherwise the names of `field_names` decide, and the rest goes to metadata. An
  output without a text is JSON.
- OpenAI's chat format: `{messages: [{role, content}, …]}`: the last question, what followed it, and all turns.
- Labelled judgements: a `task` beside the judged `text`, its `context` or `reference`, and optionally a `question`;
  without one the input is blank, and metrics that need a question report that. A pair, `text` and `text2`, is two
  test cases with the ids `…-text` and `…-text2`, each with its own `system`; the label stays in the metadata
  of both, beside `side` and `pair`, since it belongs to the pair.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard, cast

from ragstone.datasets.frameworks.messages import interaction_fields, parse_message
from ragstone.datasets.rows.cells import parse_mapping
from ragstone.datasets.rows.field_names import ALIASES, normalize_name
from ragstone.datasets.rows.row import is_missing

_LANGSMITH = {"inputs": "input", "outputs": "actual_output", "reference_outputs": "expected_output"}
_GROUPS = {
    **_LANGSMITH,
    "reference": "expected_output",
    "input": "input",
    "output": "actual_output",
    "actual_output": "actual_output",
    "expected": "expected_output",
    "expected_output": "expected_output",
    "expectedOutput": "expected_output",
}
_DOCUMENT_KEYS = ("documents", "docs")
_TASKS = {"support", "relevance", "correctness", "similarity", "quality"}


def unfold(values: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], bool]]:
    """Yield the flat rows of a row, and whether each requires an input."""
    flat = _flatten(_parsed_groups(_gather_groups(values)))
    messages = flat.get("messages")
    if is_conversation(messages) and not any(
        normalize_name(name) in (*ALIASES["input"], "turns") for name in flat
    ):
        flat = {**flat, **conversation_fields(messages)}
    if flat.get("task") in _TASKS and isinstance(flat.get("text"), str) and "actual_output" not in flat:
        yield from ((case, False) for case in _labelled_cases(flat))
    else:
        yield flat, True


def _gather_groups(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row with columns such as `inputs.question` gathered into their groups."""
    gathered: dict[str, Any] = {}
    for name, value in values.items():
        group, dot, inner = name.partition(".")
        if dot and group in _GROUPS and not isinstance(values.get(group), str):
            members: Any = gathered.get(group)
            gathered[group] = {
                **(cast("dict[str, Any]", members) if isinstance(members, dict) else {}),
                inner: value,
            }
        elif not (name in gathered and is_missing(value)):
            gathered[name] = value
    return gathered


def _parsed_groups(values: dict[str, Any]) -> dict[str, Any]:
    """Return the row with objects that were written as JSON texts, as in the cells of a table.

    An output may be JSON by itself. It is an object here only if the question is one too.
    """
    parsed = {
        name: group
        for name in _GROUPS
        if isinstance(values.get(name), str)
        and (group := parse_mapping(values[name]))
        and _text_keys(group, _GROUPS[name])
    }
    questions = [name for name in parsed if _GROUPS[name] == "input" and _text_keys(parsed[name], "input")]
    return {**values, **parsed} if questions else values


def _flatten(values: dict[str, Any]) -> dict[str, Any]:
    groups = {
        name: cast("dict[str, Any]", values[name]) for name in _GROUPS if isinstance(values.get(name), dict)
    }
    flat = {name: value for name, value in values.items() if name not in groups}
    for name in _LANGSMITH:
        if isinstance(flat.get(name), str) and is_missing(flat.get(_GROUPS[name])):
            flat[_GROUPS[name]] = flat.pop(name)
    for name, group in groups.items():
        main = _GROUPS[name]
        fields = _group_fields(group, main)
        if main not in fields and main != "input" and name not in _LANGSMITH and group:
            fields = {main: json.dumps(group, ensure_ascii=False)}
        flat.update({key: value for key, value in fields.items() if is_missing(flat.get(key))})
    return flat


def _group_fields(group: dict[str, Any], main: str) -> dict[str, Any]:
    """Return the values of one group; the name of an unknown value is prefixed with the group's main field."""
    names = _text_keys(group, main)
    messages = group.get("messages")
    if not names and is_conversation(messages):
        found = conversation_fields(messages)
        text = found.pop("input", None) if main == "input" else found.get("actual_output")
        return {main: text, **(found if main == "input" else {})} if text else {}
    fields: dict[str, Any] = {}
    for name, value in group.items():
        if names and name == names[0]:
            fields[main] = value
        elif normalize_name(name) in (*ALIASES["retrieval_context"], *_DOCUMENT_KEYS):
            fields["retrieval_context"] = value
        elif normalize_name(name) in ALIASES["context"]:
            fields["context"] = value
        else:
            fields[f"{main}.{name}"] = value
    return fields


def _text_keys(group: dict[str, Any], main: str) -> list[str]:
    # LangSmith's reference has the keys of an output: there {"answer": …} is the expected output.
    aliases = (*ALIASES[main], *ALIASES["actual_output"])
    full = [name for name, value in group.items() if not is_missing(value)]
    matches = [name for alias in aliases for name in full if normalize_name(name) == alias]
    if matches:
        return matches
    texts = [name for name, value in group.items() if isinstance(value, str)]
    return texts if len(texts) == 1 else []


def _labelled_cases(values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    shared = {name: value for name, value in values.items() if name not in {"text", "text2", "system2"}}
    if is_missing(shared.get("question")):
        shared["question"] = ""
    if isinstance(shared.get("context"), str):
        shared["context"] = [shared["context"]]
    pair = values.get("id")
    if not isinstance(values.get("text2"), str):
        yield {**shared, "actual_output": values["text"]}
        return
    for side, system in (("text", "system"), ("text2", "system2")):
        case = {"actual_output": values[side], "side": side, "pair": pair, "system": values.get(system)}
        yield {**shared, **case, "id": f"{pair}-{side}" if pair else None}


def is_conversation(value: object) -> TypeGuard[list[Any]]:
    """Return whether a value is a list of chat messages."""
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return bool(items) and all(isinstance(item, dict) and {"role", "type"} & item.keys() for item in items)


def conversation_fields(messages: list[Any]) -> dict[str, Any]:
    """Return the fields of a test case in chat messages: the last question, what followed it, and all turns."""
    fields = interaction_fields([parse_message(message) for message in messages])
    fields.pop("documents", None)
    return fields


def columns(table: Mapping[str, Any]) -> Iterator[dict[str, Any]] | None:
    """Return the rows of a table that is written column by column; None if it is a single row.

    It is a table if every value is a list of the same length and a column of inputs is among them: the
    input of a single row is not a list, except for a conversation, whose elements are mappings. Instead of lists,
    pandas writes mappings from the index by default.
    """
    table = {name: _indexed(value) for name, value in table.items()}
    lists = {name: cast("list[Any]", value) for name, value in table.items() if isinstance(value, list)}
    lengths = {len(values) for values in lists.values()}
    inputs = [values for name, values in lists.items() if normalize_name(name) in ALIASES["input"]]
    if len(lists) < len(table) or len(lengths) != 1 or not inputs:
        return None
    if any(isinstance(item, dict) for item in inputs[0]):
        return None
    return (dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True))


def _indexed(value: Any) -> Any:  # noqa: ANN401
    """Return a mapping from whole numbers, a column of pandas, as a list; any other value unchanged."""
    if isinstance(value, dict) and value and all(name.isdecimal() for name in cast("dict[str, Any]", value)):
        return list(cast("dict[str, Any]", value).values())
    return cast("Any", value)
