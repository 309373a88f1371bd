"""The columns of metrics in a table: all, or those that the address names."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ragstone.findings.view.metric_names import Named, metric_names

DEFAULT_COUNT = 4
"""Columns of metrics in the list of runs, unless others are chosen: as many as stand beside each other."""


class OfferedColumn(NamedTuple):
    """A column that can be shown.

    Attributes:
        spec: the metric's spec, or another name of the column.
        label: its heading.
        shown: whether it is shown.
    """

    spec: str
    label: str
    shown: bool


def run_columns(runs: Iterable[Iterable[Named]], chosen: Sequence[str]) -> list[OfferedColumn]:
    """Return the columns of a list of runs: a metric each, in order of appearance.

    Args:
        runs: the metrics of each run.
        chosen: specs of the metrics to show; empty: those that the most runs have.
    """
    metrics = [metric for run in runs for metric in run]
    labels = metric_names(metrics)
    counts = Counter(metric.spec for metric in metrics)
    most = sorted(labels, key=lambda spec: -counts[spec])[:DEFAULT_COUNT]
    shown = [spec for spec in chosen if spec in labels] or most
    return [OfferedColumn(spec, label, spec in shown) for spec, label in labels.items()]


def case_columns(metrics: Iterable[Named], chosen: Sequence[str]) -> list[OfferedColumn]:
    """Return the columns of a table of test cases: a metric each, and `why`; all are shown unless some are chosen."""
    offered = {**metric_names(metrics), "why": "why"}
    shown = [spec for spec in chosen if spec in offered] or [*offered]
    return [OfferedColumn(spec, label, spec in shown) for spec, label in offered.items()]
