"""Documentation of a metric, read from its code and docstrings so that no fact is written twice."""

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any, NamedTuple, cast

from ragstone.errors import UsageError
from ragstone.judges import get_judge
from ragstone.metrics.base.definition import spec_name
from ragstone.metrics.base.metric import Metric

_ATTRIBUTE_PATTERN = re.compile(r"^ {4}(\w+): (.+?)(?=^ {4}\S|\Z)", re.MULTILINE | re.DOTALL)


class Option(NamedTuple):
    """An option of a metric: its name, its default as it is written (`required` without one), and what it does."""

    name: str
    default: str
    meaning: str


def asks(metric: type[Metric]) -> str:
    """Return the question that a metric asks of a test case: the first sentence of its class docstring."""
    return _sentences(metric)[0]


def _sentences(metric: type[Metric]) -> list[str]:
    """Return the sentences of the first paragraph of a class's docstring."""
    paragraph = (inspect.getdoc(metric) or "").split("\n\n")[0].replace("\n", " ")
    return re.split(r"(?<=[.?!]) ", paragraph)


def name(metric: type[Metric]) -> str:
    """Return the name of a metric in a spec."""
    return spec_name(metric)


def needs(metric: type[Metric]) -> str:
    """Return the fields that a test case must have if all options are at their defaults."""
    evaluation_params = cast("tuple[str, ...]", getattr(metric, "evaluation_params", ()))
    try:
        field_names = metric().fields_needed
    except (TypeError, UsageError):  # an option is required: use the fields of the class
        field_names = metric.needs or evaluation_params
    return ", ".join(field_names) or "nothing"


def calls(metric: type[Metric]) -> str:
    """Return the number of judge calls as the class docstring states it, without the words of the column heading."""
    said = next((sentence for sentence in _sentences(metric) if "judge call" in sentence), None)
    if said is None:
        return str(len(metric.prompts))
    short = re.sub(r" judge calls?", "", said).removesuffix(".")
    return re.sub(r"^No\b", "none", short[:1].lower() + short[1:] if not short.startswith("No") else short)


def embedded(metric: type[Metric]) -> str:
    """Return whether the embedded judge measures it: `yes` or `no`, or `no judge` for a metric that asks none."""
    if not metric.prompts:
        return "no judge"
    judge = get_judge("local")
    return "yes" if all(map(judge.can_answer, metric.prompts)) else "no"


def direction(metric: type[Metric]) -> str:
    """Return which scores are better, `higher` or `lower`."""
    return "higher" if metric.higher_is_better else "lower"


def full_description(metric: type[Metric]) -> str:
    """Return the definition, formula and source from the docstring of the metric's module."""
    module = sys.modules[metric.__module__]
    module_doc = inspect.getdoc(module) if metric.__module__.startswith("ragstone.metrics.") else None
    return module_doc or inspect.getdoc(metric) or "It has no description."


def options(metric: type[Metric]) -> Iterator[Option]:
    """Yield the options, the metric's own first."""
    meanings: dict[str, str] = {}
    for base in reversed(metric.__mro__):
        meanings.update(_meanings(base))
    inherited = {item.name for item in fields(Metric)}
    for item in sorted(fields(metric), key=lambda item: item.name in inherited):
        if item.init:
            default = (
                "required"
                if item.default is MISSING and item.default_factory is MISSING
                else repr(item.default)
            )
            yield Option(item.name, default, meanings.get(item.name, ""))


def described(metric: type[Metric]) -> dict[str, Any]:
    """Return all of this as plain values: name, asks, needs, calls, embedded, better, description, options."""
    return {
        "name": name(metric),
        "asks": asks(metric),
        "needs": needs(metric),
        "calls": calls(metric),
        "embedded": embedded(metric),
        "better": direction(metric),
        "description": full_description(metric),
        "options": [option._asdict() for option in options(metric)],
    }


def _meanings(metric: type[object]) -> dict[str, str]:
    """Return the description of each attribute from the Attributes section of a class docstring."""
    section = (inspect.getdoc(metric) or "").partition("Attributes:\n")[2]
    return {name: " ".join(text.split()) for name, text in _ATTRIBUTE_PATTERN.findall(section)}
