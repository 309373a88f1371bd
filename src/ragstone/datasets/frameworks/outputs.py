"""What other frameworks return, as rows: who made an object is told by the package that its class comes from.

So nothing is imported to find out, and nothing is looked at where no such framework is loaded: its objects
cannot be there then. `langchain`, `llama_index` and `haystack` beside this file know what theirs hold.
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

_DEPTH = 3  # Haystack: component → its outputs → a list → an object


def reader(output: object) -> Callable[[object], dict[str, Any]] | None:
    """Return what makes a row of `output`; None where no such framework has made it, or anything inside."""
    if not any(package in sys.modules for package in _FRAMEWORK_MODULES):
        return None
    maker = next(_frameworks(output, _DEPTH), None)
    return None if maker is None else import_module(f"ragstone.datasets.{maker}").row


def build_case(read: Callable[[], Mapping[str, Any]], given: Mapping[str, Any], call: str) -> TestCase:
    """Return the test case that an output stands for.

    Args:
        read: returns the output as a row.
        given: fields of the test case that win over it; its metadata joins what was found.
        call: what was called, such as `from_haystack(output`.

    Raises:
        UnknownName: a test case has no such field.
        BadDataset: nobody said what was asked, or a value fits no field.
    """
    for name in given:
        if name not in TestCase.model_fields:
            raise UnknownName("field of a test case", name, TestCase.model_fields)
    source = call.partition("(")[0]
    try:
        row = read()
    except RowError as fault:
        raise BadDataset(f"{source}: {fault.problem} {fault.instead}") from None
    metadata = {**row.get("metadata", {}), **given.get("metadata", {})}
    values = {**row, **given, "metadata": metadata}
    if not {"input", "turns"} & rename(values)[0].keys():
        raise BadDataset(f"{source}: the output does not tell what was asked. Write {call}, input='…').")
    case = next(cases([RawRow("the output", values)], source))
    if isinstance(case, BadRow):
        raise BadDataset(str(case))
    return case


def passage(text: str, identifier: Any, score: Any, metadata: Any) -> dict[str, Any]:  # noqa: ANN401  (a library's)
    """Return a retrieved passage as a row holds it; what is not known about it is left out."""
    known = {"id": identifier, "score": score, "metadata": metadata}
    return {"text": text, **{name: value for name, value in known.items() if value not in (None, "", {})}}


def retrieved(passages: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the fields that passages fill, best first; ids only where every passage has one."""
    ids = [str(item["id"]) for item in passages if "id" in item]
    fields = {
        "retrieval_context": passages,
        "retrieved_ids": ids if len(ids) == len(passages) else [],
    }
    return {name: value for name, value in fields.items() if value}


def _frameworks(value: object, depth: int) -> Iterator[str]:
    for kind in type(value).__mro__:
        package = kind.__module__.partition(".")[0]
        if package in _FRAMEWORK_MODULES:
            yield _FRAMEWORK_MODULES[package]
    if depth and isinstance(value, Mapping):
        for item in cast("Mapping[object, object]", value).values():
            yield from _frameworks(item, depth - 1)
    elif (
        depth and depth < _DEPTH and isinstance(value, list | tuple)
    ):  # a list itself is a dataset of outputs
        for item in cast("list[object]", value)[:1]:
            yield from _frameworks(item, depth - 1)
