"""Attribute values: structures written as JSON texts, or flattened into numbered names."""

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from ragstone.traces.shapes.python_texts import parse_literal, parse_messages

MOST_DIGITS = 6  # most digits of an index in a flattened name; a longer number is part of the name


MOST_NUMBER_DIGITS = 19  # most characters of a whole number
MOST_DEPTH = 64  # most nested levels of lists and mappings that are read
MOST_COUNT = 2**53  # counts from here on are no counts


def parse_json(value: object) -> Any:  # noqa: ANN401  (any JSON)
    """Return the value of a JSON text, or of a mapping or a message as Python writes it; any other value unchanged.

    Numbers that no 64-bit number holds, and NaN and infinity, which are no JSON, become texts. A text that is nested
    deeper than `MOST_DEPTH` levels stays a text.
    """
    if not isinstance(value, str) or not (text := value.strip()).startswith(_BEGINNINGS):
        return value
    parsed = _parsed(value, text)
    return value if parsed is None or is_deep(parsed) else parsed


def is_deep(value: object) -> bool:
    """Return whether lists and mappings are nested deeper than `MOST_DEPTH` levels: readers recurse into them."""
    level = [value]
    for _ in range(MOST_DEPTH):
        level = [
            item
            for container in level
            if isinstance(container, dict | list) and container
            for item in (
                cast("dict[str, object]", container).values()
                if isinstance(container, dict)
                else cast("list[object]", container)
            )
        ]
        if not level:
            return False
    return any(isinstance(item, dict | list) for item in level)


def _parsed(value: str, text: str) -> Any:  # noqa: ANN401  (any JSON)
    try:
        return json.loads(value, parse_int=_whole, parse_float=_fraction, parse_constant=str)
    except (ValueError, RecursionError):
        pass
    if text.startswith(("{'", "[{'")):
        return parse_literal(text)
    return parse_messages(text) or None


_BEGINNINGS = ("{", "[", '"', "content=", "HumanMessage(", "AIMessage(", "SystemMessage(", "ToolMessage(")


def _whole(text: str) -> int | str:
    return int(text) if len(text) <= MOST_NUMBER_DIGITS else text


def _fraction(text: str) -> float | str:
    number = float(text)
    return number if number - number == 0 else text


def finite(value: object) -> float | None:
    """Return a finite number as a float; None for anything else, such as a truth value or an integer of 400 digits."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if number - number == 0 else None


def as_mapping(value: object) -> dict[str, Any]:
    """Return a mapping, also one written as JSON; an empty one for anything else."""
    parsed = parse_json(value)
    return cast("dict[str, Any]", parsed) if isinstance(parsed, dict) else {}


def as_list(value: object) -> list[Any]:
    """Return a list, also one written as JSON; an empty one for anything else."""
    parsed = parse_json(value)
    return cast("list[Any]", parsed) if isinstance(parsed, list) else []


def as_text(value: object) -> str | None:
    """Return a text unchanged and any other value as JSON; None for None and for empty values."""
    if value is None or value in ("", [], {}):
        return None
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def known(**fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def first_text(attributes: Mapping[str, Any], *names: str) -> str | None:
    """Return the first of the named values that is a text or a number, as text."""
    for name in names:
        value = attributes.get(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
            return str(value)
    return None


def first_count(attributes: Mapping[str, Any], *names: str) -> int | None:
    """Return the first of the named values that is a count."""
    numbers = (finite(attributes.get(name)) for name in names)
    return next((int(number) for number in numbers if number is not None and 0 <= number < MOST_COUNT), None)


def first_number(attributes: Mapping[str, Any], *names: str) -> float | None:
    """Return the first of the named values that is a finite number."""
    numbers = (finite(attributes.get(name)) for name in names)
    return next((number for number in numbers if number is not None), None)


_MOST_PARTS = 64  # most parts of a flattened name; those of the conventions have fewer than ten


def gather(attributes: Mapping[str, Any], prefix: str) -> list[Any]:
    """Return the list that is flattened into names such as `prefix.0.message.role`, or is the value of `prefix` itself.

    The elements are in the order of their indices, which need not be consecutive. Names of very many parts are ignored.
    """
    if prefix in attributes:
        return as_list(attributes[prefix])
    tree: dict[str, Any] = {}
    for name, value in attributes.items():
        path = name[len(prefix) + 1 :].split(".") if name.startswith(f"{prefix}.") else []
        if 0 < len(path) <= _MOST_PARTS:
            _put(tree, path, value)
    nested = _with_lists(tree)
    return cast("list[Any]", nested) if isinstance(nested, list) else []


def flatten(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return nested mappings and lists of mappings flattened into dotted names; `gather` reads them back."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict) and value:
            flat |= flatten(cast("dict[str, Any]", value), f"{prefix}{name}.")
        elif (
            isinstance(value, list)
            and value
            and all(isinstance(item, dict) for item in cast("list[Any]", value))
        ):
            items = {str(number): item for number, item in enumerate(cast("list[Any]", value))}
            flat |= flatten(items, f"{prefix}{name}.")
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def _put(tree: dict[str, Any], path: list[str], value: object) -> None:
    for part in path[:-1]:
        child = tree.setdefault(part, {})
        if not isinstance(child, dict):
            return
        tree = cast("dict[str, Any]", child)
    tree.setdefault(path[-1], value)


def _with_lists(value: object) -> object:
    if not isinstance(value, dict):
        return value
    tree = cast("dict[str, Any]", value)
    if tree and all(re.fullmatch(rf"\d{{1,{MOST_DIGITS}}}", name, re.ASCII) for name in tree):
        return [_with_lists(item) for _, item in sorted(tree.items(), key=lambda item: int(item[0]))]
    return {name: _with_lists(item) for name, item in tree.items()}
