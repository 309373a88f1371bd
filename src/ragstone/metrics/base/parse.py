"""Parse a spec such as `faithfulness(threshold=0.8)` into a metric. Options are literals; nothing is evaluated."""

import ast
import re
from collections.abc import Mapping
from dataclasses import MISSING
from typing import Any

from ragstone.errors import BadOption, UnknownName
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.metrics.base.definition import default_of, options
from ragstone.metrics.base.metric import Metric
from ragstone.plugins import find

_MAX_OPTIONS_LENGTH = 200_000
"""Maximum length of a metric's options in characters: Python's parser takes some hundred times as much memory."""

_MAX_SHOWN_LENGTH = 200


def parse(text: str) -> Metric:
    """Return the metric that a spec describes.

    Names are read leniently (`Faithfulness`, `contextual-recall`); `ndcg@10` is short for `ndcg(k=10)`.

    Raises:
        UnknownName: there is no metric of that name.
        BadOption: the metric has no such option, or the option's value is invalid.
    """
    name, given = split_spec(text)
    name, separator, cutoff = name.partition("@")
    if separator:
        given.setdefault("k", _parse_cutoff(cutoff, text))
    metric_class = find_metric(name)
    _check_options(name, metric_class, given)
    try:
        return metric_class(**given)
    except TypeError as error:  # a value of a type that the metric does not expect
        raise BadOption(f"{text}: {error}") from error


def split_specs(text: str) -> list[str]:
    """Return the specs in a comma-separated list; commas within brackets and quotes belong to a spec."""
    parts: list[str] = []
    start, depth, quote = 0, 0, ""
    for place, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote and text[place - 1] != "\\" else quote
        elif sign in "'\"":
            quote = sign
        elif sign in "([{)]}":
            depth += 1 if sign in "([{" else -1
        elif sign == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    return [*parts, text[start:].strip()]


def find_metric(name: str) -> type[Metric]:
    """Return the class of a metric; its name is read leniently.

    Raises:
        UnknownName: there is no metric of that name.
        BadOption: the object of that name is not a metric class.
    """
    metric_class = find("metric", _canonical_name(name), BUILT_IN)
    if not (isinstance(metric_class, type) and issubclass(metric_class, Metric)):
        raise BadOption(
            f"{name} is not a metric: write package.module:Class for a subclass of ragstone.metrics.Metric"
        )
    return metric_class


def _check_options(name: str, metric_class: type[Metric], given: Mapping[str, Any]) -> None:
    """Reject unknown options and missing required ones; messages use the name as it was written."""
    known = options(metric_class)
    for option in given:
        if option not in known:
            raise BadOption(str(UnknownName(f"option of {name}", option, known)))
    missing = [key for key, item in known.items() if default_of(item) is MISSING and key not in given]
    if missing:
        raise BadOption(f"{name} needs {' and '.join(missing)}: write {name}({missing[0]}='…', …)")


def _parse_cutoff(text: str, spec: str) -> int:
    if not text.strip().isdecimal():
        raise BadOption(f"{spec!r}: write a whole number after the @, as in ndcg@10")
    return int(text)


def _canonical_name(name: str) -> str:
    """Return the known spelling of a name, or the name itself."""
    normalized = _normalized(name)
    return next((known for known in BUILT_IN if _normalized(known) == normalized), name)


def _normalized(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).lower()


def split_spec(text: str) -> tuple[str, dict[str, Any]]:
    """Return name and options of a spec."""
    name, bracket, rest = text.strip().partition("(")
    if not bracket:
        return name.strip(), {}
    try:
        if len(rest) > _MAX_OPTIONS_LENGTH:
            raise ValueError(rest)  # noqa: TRY301  (handled below)
        call = ast.parse(f"f({rest}", mode="eval").body
        if not isinstance(call, ast.Call) or call.args:
            raise ValueError(text)  # noqa: TRY301  (the handler below words the message)
        return name.strip(), {_option(keyword): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        shown = repr(text) if len(text) <= _MAX_SHOWN_LENGTH else f"{text[:_MAX_SHOWN_LENGTH]!r}…"
        raise BadOption(
            f"{shown} is not a metric: write name or name(option=value), with values as in Python"
        ) from error


def _option(keyword: ast.keyword) -> str:
    if keyword.arg is None:
        raise ValueError(keyword)
    return keyword.arg
