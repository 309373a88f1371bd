"""Parse a spec such as `faithfulness(threshold=0.8)` into a metric. Options are literals; nothing is evaluated."""

import ast
import re
from typing import Any

from ragstone.errors import BadOption
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.metrics.base.definition import check_option_names
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
        if not cutoff.strip().isdecimal():
            raise BadOption(f"{text!r}: write a whole number after the @, as in ndcg@10")
        given.setdefault("k", int(cutoff))
    metric_class = find_metric(name)
    check_option_names(metric_class, given, name)
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
    known = next((each for each in BUILT_IN if normalized(each) == normalized(name)), name)
    metric_class = find("metric", known, BUILT_IN)
    if not (isinstance(metric_class, type) and issubclass(metric_class, Metric)):
        raise BadOption(
            f"{name} is not a metric: write package.module:Class for a subclass of ragstone.metrics.Metric"
        )
    return metric_class


def normalized(name: str) -> str:
    """Return a metric's name without what its spelling may differ in."""
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
        if not isinstance(call, ast.Call) or call.args or any(each.arg is None for each in call.keywords):
            raise ValueError(text)  # noqa: TRY301  (the handler below words the message)
        return name.strip(), {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        shown = repr(text) if len(text) <= _MAX_SHOWN_LENGTH else f"{text[:_MAX_SHOWN_LENGTH]!r}…"
        raise BadOption(
            f"{shown} is not a metric: write name or name(option=value), with values as in Python"
        ) from error
