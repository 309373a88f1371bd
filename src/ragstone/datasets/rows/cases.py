"""Conversion of a row to its test cases: unfold, rename, convert each value to its field's type, or report the row."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from pydantic import ValidationError

from ragstone.case import TestCase, Turn, describe_invalid
from ragstone.datasets.frameworks.messages import parse_message
from ragstone.datasets.rows.cells import DEEPEVAL_COLUMN, parse_list, parse_mapping
from ragstone.datasets.rows.field_names import ALIASES, rename
from ragstone.datasets.rows.row import BadRow, RawRow, RowError, is_missing, to_plain
from ragstone.datasets.rows.shapes import conversation_fields, is_conversation, unfold

_PASSAGE_TEXT_KEYS = ("text", "page_content", "content")
_LIST_FIELDS = ("retrieval_context", "context", "tools_called", "expected_tools", "tags")
_STRUCTURED_FIELDS = ("turns", "retrieved_ids", "relevant_ids")
_TEXT_FIELDS = ("input", "actual_output", "expected_output")
_UNIQUE_ID = "Give each row a unique id, or no id: the id is then computed from the row's content."


def cases(rows: Iterable[RawRow | BadRow | TestCase], source: str) -> Iterator[TestCase | BadRow]:
    """Yield the test cases of `rows`, and a report in the place of each row that cannot be converted.

    Of two rows with the same `id` the later one is reported, as their results could not be distinguished.
    """
    seen: dict[int, str] = {}
    for row in rows:
        if not isinstance(row, RawRow):
            yield row
            continue
        for case in _row_cases(row, source):
            if isinstance(case, TestCase) and "id" in case.model_fields_set and case.id:
                first = seen.setdefault(hash(case.id), row.place)  # hashes, so that a million ids stay small
                if first != row.place:
                    yield BadRow(
                        source, row.place, f"id: {case.id!r} is already used at {first}.", _UNIQUE_ID
                    )
                    continue
            yield case


def _row_cases(row: RawRow, source: str) -> Iterator[TestCase | BadRow]:
    try:
        flat_rows = list(unfold({str(name): to_plain(value) for name, value in row.values.items()}))
        for flat, needs_input in flat_rows:
            yield _case(flat, needs_input=needs_input)
    except RowError as error:
        yield BadRow(source, row.place, error.problem, error.instead)
    except ValidationError as error:
        yield BadRow(source, row.place, f"{describe_invalid(error)}.", "Correct it, or leave the field out.")
    except (ValueError, RecursionError) as error:
        # Half a surrogate pair or endless nesting cannot be encoded.
        problem = f"the row contains a value that cannot be written as text ({type(error).__name__})."
        yield BadRow(source, row.place, problem, "Save the file as UTF-8, and reduce deep nesting.")


def _case(flat: Mapping[str, Any], *, needs_input: bool) -> TestCase:
    fields, rest = rename(flat)
    if "input" not in fields and "turns" not in fields:
        if needs_input:
            raise _no_input(flat)
        fields["input"] = ""
    metadata = _metadata(fields.pop("metadata", None), rest)
    if is_conversation(fields.get("input")):
        fields.update(_from_conversation(fields, metadata))
    joined = DEEPEVAL_COLUMN in flat  # its JSON lines join passages
    converted = {name: _converted(name, value, metadata, joined=joined) for name, value in fields.items()}
    case = TestCase.model_validate({**converted, "metadata": metadata})
    json.dumps(metadata, ensure_ascii=False).encode()  # raises if no result could be written
    return case


def _converted(field: str, value: Any, metadata: Any, *, joined: bool) -> Any:  # noqa: ANN401
    if field in _TEXT_FIELDS:
        return _text_value(field, value, metadata)
    if field in _LIST_FIELDS:
        is_joined = joined and isinstance(value, str) and not value.lstrip().startswith("[")
        return _list_value(field, value.split("|") if is_joined else value, metadata)
    if field in _STRUCTURED_FIELDS:
        return _structured_value(field, value)
    if field in ("id", "name") and isinstance(value, int | float):  # pandas makes 7 of a column with gaps 7.0
        return f"{value:.15g}" if isinstance(value, float) else str(value)
    return value


def _structured_value(field: str, value: Any) -> Any:  # noqa: ANN401
    """Return the list or mapping in a text cell, and turns in our form; other values unchanged."""
    if isinstance(value, str):
        parsed = parse_list(value)
        value = parse_mapping(value) if parsed is None else parsed
    if field == "turns" and isinstance(value, list):
        return [_turn(turn) for turn in cast("list[Any]", value)]
    return value


def _metadata(given: Any, rest: Mapping[str, Any]) -> Any:  # noqa: ANN401  (pydantic reports what is not a mapping)
    if isinstance(given, str):
        parsed = parse_mapping(given)
        given = {"metadata": given} if parsed is None else parsed
    if given is not None and not isinstance(given, dict):
        return given
    values = cast("dict[str, Any]", given or {})
    return {**{name: value for name, value in rest.items() if not is_missing(value)}, **values}


def _text_value(field: str, value: Any, metadata: Any) -> Any:  # noqa: ANN401
    if not isinstance(value, list):
        return value
    items = cast("list[Any]", value)
    if field == "expected_output" and all(isinstance(item, str) for item in items):
        if len(items) > 1:
            metadata.setdefault("expected_outputs", items)
        return items[0]
    return items


def _from_conversation(fields: Mapping[str, Any], metadata: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the question of a conversation, and what it says that the row does not: the answer and all turns."""
    messages = cast("list[Any]", fields["input"])
    found = conversation_fields(messages)
    roles = [parse_message(message).role for message in messages]
    if "input" not in found or (roles.count("user") > 1 and "assistant" not in roles):
        raise RowError(
            f"input: a list of {len(messages)} messages, {roles.count('user')} of them from a user; exactly one is "
            "expected, or an answer between them.",
            "Give only the question that was answered, as text.",
        )
    if isinstance(metadata, dict) and "turns" not in found:
        cast("dict[str, Any]", metadata).setdefault("messages", messages)
    answer = fields.get("actual_output")
    if "turns" in found and isinstance(answer, str) and "actual_output" not in found:
        found["turns"] = [*found["turns"], {"role": "assistant", "content": answer}]
    return {name: value for name, value in found.items() if name == "input" or name not in fields}


def _turn(turn: Any) -> Any:  # noqa: ANN401
    """Return a turn with the fields that a turn has, under its names of roles; anything else unchanged."""
    if not isinstance(turn, dict):
        return turn
    values, rest = rename(cast("dict[str, Any]", turn))
    kept = {name: value for name, value in {**rest, **values}.items() if name in Turn.model_fields}
    kept = {name: value for name, value in kept.items() if value is not None}
    metadata: Any = dict(kept["metadata"]) if isinstance(kept.get("metadata"), dict) else {}
    for field in ("retrieval_context", "tools_called", "expected_tools"):
        if field in kept:
            kept[field] = _list_value(field, kept[field], metadata)
    if "expected_output" in kept:
        kept["expected_output"] = _text_value("expected_output", kept["expected_output"], metadata)
    role = parse_message({"role": rest.get("role") or rest.get("type")}).role
    return {**kept, "role": role, **({"metadata": metadata} if metadata else {})}


def _list_value(field: str, value: Any, metadata: Any) -> Any:  # noqa: ANN401
    if isinstance(value, str):
        # Under a singular name one text is one passage; as `retrieval_context` it may be all of them, joined.
        plain = [value] if field in {"context", "tags"} else value
        parsed = parse_list(value)
        value = plain if parsed is None else parsed
    if not isinstance(value, list):
        return value
    items = cast("list[Any]", value)
    if field in {"tools_called", "expected_tools"}:
        return tool_calls(items)
    if field == "tags":
        return [str(item) for item in items]
    return _passages(field, items, metadata)


def _passages(field: str, items: list[Any], metadata: Any) -> list[Any]:  # noqa: ANN401
    texts: list[Any] = []
    details: list[dict[str, Any]] = []
    for item in items:
        passage = cast("dict[str, Any]", item) if isinstance(item, dict) else {"text": item}
        name = next((name for name in _PASSAGE_TEXT_KEYS if isinstance(passage.get(name), str)), None)
        texts.append(passage[name] if name else item)
        details.append({key: value for key, value in passage.items() if key != name} if name else {})
    if any(details) and isinstance(metadata, dict):
        cast("dict[str, Any]", metadata).setdefault(f"{field}_details", details)
    return texts


def _no_input(flat: Mapping[str, Any]) -> RowError:
    names = ", ".join(repr(name) for name in list(flat)[:12]) or "nothing"
    *others, last = ALIASES["input"]
    return RowError(
        f"input: Field required; the row has {names}.", f"Give it a non-empty {', '.join(others)} or {last}."
    )


_ALIASES = {
    "name": ("name", "tool_name", "tool"),
    "input_parameters": ("input_parameters", "inputParameters", "args", "arguments", "parameters"),
    "output": ("output", "result"),
    "error": ("error",),
    "description": ("description",),
    "reasoning": ("reasoning",),
}


def tool_calls(value: list[Any]) -> list[Any]:
    """Return each call as a mapping of `ToolCall`'s fields; other values are left for validation to reject."""
    return [_tool_call(item) for item in value]


def _tool_call(item: Any) -> Any:  # noqa: ANN401
    if isinstance(item, str):
        return {"name": item}
    if not isinstance(item, dict):
        return item
    call = cast("dict[str, Any]", item)
    function = call.get("function")  # the shape of OpenAI's messages
    source: dict[str, Any] = cast("dict[str, Any]", function) if isinstance(function, dict) else call
    fields = {field: _first_value(source, names) for field, names in _ALIASES.items()}
    if isinstance(fields["input_parameters"], str):
        fields["input_parameters"] = parse_mapping(fields["input_parameters"]) or fields["input_parameters"]
    fields["error"] = _error(fields["error"])
    return {field: value for field, value in fields.items() if value is not None}


def _error(value: object) -> str | None:
    """Return the error as a text; None for false and empty values, which mean no error."""
    if not value:
        return None
    return value if isinstance(value, str) else "error" if value is True else json.dumps(value, default=repr)


def _first_value(source: dict[str, Any], names: tuple[str, ...]) -> Any:  # noqa: ANN401
    return next((source[name] for name in names if source.get(name) is not None), None)
