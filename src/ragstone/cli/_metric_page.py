"""What there is to know about a metric, read from its code and docstrings: nothing is written down twice."""

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import NamedTuple, cast

from ragstone.metrics import Metric
from ragstone.metrics._spec import spec_name

_ATTRIBUTE = re.compile(r"^ {4}(\w+): (.+?)(?=^ {4}\S|\Z)", re.MULTILINE | re.DOTALL)


class Option(NamedTuple):
    """An option of a metric: its name, its default as it is written (`required` without one), and what it does."""

    name: str
    default: str
    meaning: str


def asks(metric: type[Metric]) -> str:
    """Return in one sentence what a metric asks of a test case."""
    first = (inspect.getdoc(metric) or "").split("\n\n")[0].replace("\n", " ")
    return re.split(r"(?<=[.?!]) ", first, maxsplit=1)[0]


def name(metric: type[Metric]) -> str:
    """Return the name under which a metric is asked for."""
    return spec_name(metric)


def needs(metric: type[Metric]) -> str:
    """Return the fields that a test case must have; where the options say what is looked at, their default."""
    chosen = [item.default for item in fields(metric) if item.name == "evaluation_params"]
    looked_at = cast("tuple[str, ...]", chosen[0]) if chosen else ()
    return ", ".join(metric.needs or looked_at)


def calls(metric: type[Metric]) -> str:
    """Return how many judge calls a test case takes at the defaults."""
    each = sum(not prompt.shared_by_run for prompt in metric.prompts)
    once = len(metric.prompts) - each
    return f"{each}" + (f" + {once} a run" if once else "")


def better(metric: type[Metric]) -> str:
    """Return which way is good."""
    return "higher" if metric.higher_is_better else "lower"


def story(metric: type[Metric]) -> str:
    """Return definition, formula and source: what the docstring of the metric's module tells."""
    module = sys.modules[metric.__module__]
    own = inspect.getdoc(module) if metric.__module__.startswith("ragstone.metrics.") else None
    return own or inspect.getdoc(metric) or "It has no description."


def options(metric: type[Metric]) -> Iterator[Option]:
    """Yield the options, the metric's own first."""
    meanings = {**_meanings(Metric), **_meanings(metric)}
    inherited = {item.name for item in fields(Metric)}
    for item in sorted(fields(metric), key=lambda item: item.name in inherited):
        if item.init:
            default = (
                "required"
                if item.default is MISSING and item.default_factory is MISSING
                else repr(item.default)
            )
            yield Option(item.name, default, meanings.get(item.name, ""))


def _meanings(metric: type[Metric]) -> dict[str, str]:
    """Return what the Attributes section of a class says of each attribute."""
    section = (inspect.getdoc(metric) or "").partition("Attributes:\n")[2]
    return {name: " ".join(text.split()) for name, text in _ATTRIBUTE.findall(section)}
