"""Outputs of other frameworks as rows. The framework is recognised by the package that defines the object's class.

So nothing is imported for the check, and it is skipped if no such framework is loaded: there can be no objects of it
then. The modules `langchain`, `llama_index` and `haystack` of `ragstone.datasets` read the objects.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, cast

from ragstone.case import TestCase
from ragstone.datasets.rows.cases import cases
from ragstone.datasets.rows.field_names import rename
from ragstone.datasets.rows.row import BadRow, RawRow, RowError
from ragstone.errors import BadDataset, UnknownName

_FRAMEWORK_MODULES = {
    "haystack": "haystack",
    "langchain_core": "langchain",
    "langsmith": "langchain",
    "llama_index": "llama_index",
}
"""Package → the module here that reads its objects."""

_MAX_DEPTH = 3  # Haystack: component → its outputs → a list → an object


def reader(output: object) -> Callable[[object], dict[str, Any]] | None:
    """Return the function that reads `output` as a row; None if neither it nor its content is from such a framework."""
    if not any(package in sys.modules for package in _FRAMEWORK_MODULES):
        return None
    module = next(_frameworks(output, _MAX_DEPTH), None)
    return None if module is None else import_module(f"ragstone.datasets.{module}").row


def build_case(read: Callable[[], Mapping[str, Any]], given: Mapping[str, Any], call: str) -> TestCase:
    """Return the test case of an output.

    Args:
        read: returns the output as a row.
        given: fields of the test case that override those found; metadata is merged.
        call: the call as the error message shows it, such as `from_haystack(output`.

    Raises:
        UnknownName: a test case has no such field.
        BadDataset: the question is missing, the output cannot be read, or a value does not fit its field.
    """
    for name in given:
        if name not in TestCase.model_fields:
            raise UnknownName("field of a test case", name, TestCase.model_fields)
    source = call.partition("(")[0]
    try:
        row = read()
    except RowError as error:
        raise BadDataset(f"{source}: {error.problem} {error.instead}") from None
    metadata = {**row.get("metadata", {}), **given.get("metadata", {})}
    values = {**row, **given, "metadata": metadata}
    if not {"input", "turns"} & rename(values)[0].keys():
        raise BadDataset(f"{source}: the output does not contain the question. Write {call}, input='…').")
    case = next(cases([RawRow("the output", values)], source))
    if isinstance(case, BadRow):
        raise BadDataset(str(case))
    return case


def passage(text: str, identifier: Any, score: Any, metadata: Any) -> dict[str, Any]:  # noqa: ANN401  (a library's)
    """Return a retrieved passage in the form of a row; unknown details are left out."""
    details = {"id": identifier, "score": score, "metadata": metadata}
    return {"text": text, **{name: value for name, value in details.items() if value not in (None, "", {})}}


def retrieved(passages: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the fields filled from passages, best first; ids only if every passage has one."""
    ids = [str(item["id"]) for item in passages if "id" in item]
    fields = {
        "retrieval_context": passages,
        "retrieved_ids": ids if len(ids) == len(passages) else [],
    }
    return {name: value for name, value in fields.items() if value}


def _frameworks(value: object, depth: int) -> Iterator[str]:
    for base in type(value).__mro__:
        package = base.__module__.partition(".")[0]
        if package in _FRAMEWORK_MODULES:
            yield _FRAMEWORK_MODULES[package]
    if depth and isinstance(value, Mapping):
        for item in cast("Mapping[object, object]", value).values():
            yield from _frameworks(item, depth - 1)
    # A list itself is a dataset of outputs.
    elif depth and depth < _MAX_DEPTH and isinstance(value, list | tuple):
        for item in cast("list[object]", value)[:1]:
            yield from _frameworks(item, depth - 1)
