"""The display names of metrics: the title, with its options where two metrics share a title."""

import re
from collections.abc import Iterable, Mapping
from typing import Protocol

_THRESHOLD = re.compile(r"threshold=[^,)]*(, )?")


class Named(Protocol):
    """A result, or any other object with a metric's title and spec."""

    @property
    def metric(self) -> str:
        """The metric's display name."""
        ...

    @property
    def spec(self) -> str:
        """The metric's spelling with its options."""
        ...


def metric_names(results: Iterable[Named]) -> dict[str, str]:
    """Return the label of each metric by its spec, in order of appearance."""
    titles: dict[str, str] = {}
    for result in results:
        titles.setdefault(metric_key(result), result.metric)
    taken = list(titles.values())
    short = {spec: _label(title, _THRESHOLD.sub("", _options(spec))) for spec, title in titles.items()}
    shorts = list(short.values())
    return {
        spec: title
        if taken.count(title) == 1
        else short[spec]
        if shorts.count(short[spec]) == 1
        else _label(title, _options(spec))
        for spec, title in titles.items()
    }


def metric_name(result: Named, known: Mapping[str, str]) -> str:
    """Return the display name of a result's metric in its report."""
    return known.get(metric_key(result), result.metric)


def metric_key(result: Named) -> str:
    """Return the key that distinguishes a result's metric from the other metrics of a report."""
    return result.spec or result.metric


def _options(spec: str) -> str:
    return spec.partition("(")[2].removesuffix(")").strip()


def _label(title: str, options: str) -> str:
    options = options.removesuffix(", ")
    return f"{title}({options})" if options else title
