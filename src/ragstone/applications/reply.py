"""Conversion of what an application returns to the fields of a test case."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from ragstone.case import ALIASES, TestCase
from ragstone.datasets import BadRow, read_dataset
from ragstone.datasets.frameworks.outputs import build_case, reader
from ragstone.errors import ApplicationError, BadDataset, BadOption
from ragstone.providers.prices import cost as price_of
from ragstone.result import Usage

_PAIR_LENGTH = 2
_MOST = 2.0**53
"""More tokens or US dollars are a mistake of the application."""
_SENT = ("input", "turns")
"""Fields whose paths are those of a request."""

_CALL_FIELDS = ("usage", "cost", "model", "trace_id")
_TOKEN_NAMES = {
    "input": ("input_tokens", "prompt_tokens", "input"),
    "output": ("output_tokens", "completion_tokens", "output"),
}


def read_reply(returned: object, question: str, paths: Mapping[str, str] | None = None) -> TestCase:
    """Return the test case in what an application returned for a question.

    Its metadata has `tokens`, `cost` in US dollars, `model` and `trace_id` where the application returns them. Without
    `cost`, it is computed from `usage` and `model` where the price of the model is known.

    Args:
        returned: a text, a pair of answer and passages, a mapping under the names of datasets, a test case, or what
            LangChain, LlamaIndex or Haystack returned.
        question: the question.
        paths: field of a test case, or `usage`, `cost`, `model`, `trace_id` → its path in the mapping.

    Raises:
        ApplicationError: it cannot be read, or there is no answer.
    """
    case = returned if isinstance(returned, TestCase) else None
    if case is None and not paths:
        case = _framework_case(returned, question)
    if case is None:
        case = _read(_fields(returned, paths or {}), question)
    if case.get("actual_output") is None:
        raise ApplicationError("it returned no answer")
    return case


def parse_paths(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the paths by the names of the fields of a test case."""
    paths: dict[str, str] = {}
    for name, path in texts.items():
        field = next((field for field, names in ALIASES.items() if name in names), name)
        if field not in ALIASES and field not in _CALL_FIELDS:
            known = "input, turns, answer, contexts, retrieved_ids, tools_called, " + ", ".join(_CALL_FIELDS)
            raise BadOption(
                f"app_map: {name!r} is not a field of an application's reply: write one of {known}"
            )
        paths[field] = path
    return paths


def _fields(returned: object, paths: Mapping[str, str]) -> dict[str, Any]:
    if paths.keys() - set(_SENT):
        return {field: _found(returned, field, path) for field, path in paths.items() if field not in _SENT}
    if isinstance(returned, str):
        return {"actual_output": returned}
    if isinstance(returned, Mapping):
        return dict(cast("Mapping[str, Any]", returned))
    if isinstance(returned, tuple) and len(cast("tuple[Any, ...]", returned)) == _PAIR_LENGTH:
        pair = cast("tuple[Any, ...]", returned)
        return {"actual_output": pair[0], "retrieval_context": pair[1]}
    kind = type(cast("object", returned)).__name__
    raise ApplicationError(
        f"it returned {kind}: return a mapping with answer and contexts, or a pair (answer, contexts)"
    )


def _framework_case(returned: object, question: str) -> TestCase | None:
    """Return the test case in what a framework such as LangChain returned; None for anything else."""
    read = None if isinstance(returned, str | tuple | Mapping) else reader(returned)
    if read is None:
        return None
    try:
        return build_case(partial(read, returned), {"input": question}, "its return value")
    except BadDataset as error:
        raise ApplicationError(str(error)) from None


def _found(returned: object, field: str, path: str) -> object:
    try:
        return _value_at(returned, path)
    except (LookupError, ValueError, TypeError):
        raise ApplicationError(f"its reply has no {path!r}, which --app-map names for {field}") from None


def _value_at(value: object, path: str) -> object:
    """Return the value at a path such as `choices.0.message.content`; `*` stands for every item of a list."""
    for place, name in enumerate(names := path.split(".")):
        if name == "*":
            rest, items = ".".join(names[place + 1 :]), cast("Sequence[Any]", value)
            return [_value_at(item, rest) if rest else item for item in items]
        if isinstance(value, list | tuple):
            value = cast("Sequence[Any]", value)[int(name)]
        elif isinstance(value, Mapping):
            value = cast("Mapping[str, Any]", value)[name]
        else:
            raise TypeError(name)
    return value


def _read(fields: dict[str, Any], question: str) -> TestCase:
    about = {name: fields.pop(name) for name in _CALL_FIELDS if fields.get(name) is not None}
    row = next(iter(read_dataset([{**fields, "input": question}])))
    if isinstance(row, BadRow):
        raise ApplicationError(f"its return value cannot be read: {row.problem}")
    details = cast("list[dict[str, Any]]", row.metadata.get("retrieval_context_details") or [])
    ids = [item["id"] for item in details if item.get("id") is not None]
    named = row.retrieved_ids is None and bool(ids) and len(ids) == len(row.retrieval_context or ())
    update: dict[str, Any] = {"retrieved_ids": tuple(map(str, ids))} if named else {}
    return row.model_copy(update={**update, "metadata": {**row.metadata, **_call_metadata(about)}})


def _call_metadata(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return tokens, cost, model and trace id of a reply, under the names of the metadata of traces."""
    found = about.get("usage")
    usage = cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else dict[str, Any]()
    tokens: dict[str, int] = {}
    for kind, names in _TOKEN_NAMES.items():
        counts = (usage[name] for name in names if name in usage)
        count = next((value for value in counts if isinstance(value, int) and _is_amount(value)), None)
        tokens |= {} if count is None else {kind: count}
    cost, model = about.get("cost"), about.get("model")
    if cost is None and tokens and isinstance(model, str):
        total = Usage(input_tokens=tokens.get("input", 0), output_tokens=tokens.get("output", 0))
        cost = price_of(model, total)
    if cost is not None and not _is_amount(cost):
        raise ApplicationError(f"its cost is {cost!r}: return US dollars as a number of at least 0")
    values = {"tokens": tokens or None, "cost": cost, "model": model, "trace_id": about.get("trace_id")}
    return {name: value for name, value in values.items() if value is not None}


def _is_amount(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _MOST
