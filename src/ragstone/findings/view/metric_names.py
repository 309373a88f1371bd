"""The labels of the metrics of a report's results."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from ragstone.metric_label import metric_labels


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
    return metric_labels((result.spec, result.metric) for result in results)


def metric_name(result: Named, known: Mapping[str, str]) -> str:
    """Return the label of a result's metric in its report."""
    return known.get(result.spec, result.metric)
