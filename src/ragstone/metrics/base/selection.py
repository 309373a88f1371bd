"""Selection of the metrics to measure, from the caller's specs and the fields of the dataset."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ragstone.case import TestCase, suggest_columns
from ragstone.errors import BadOption, MissingField, UnknownName
from ragstone.metrics.base.catalog import PRESETS
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.parse import parse, split_specs
from ragstone.run import OnMissing


class MetricSelection(NamedTuple):
    """Metrics to measure, and notes on those that were left out."""

    metrics: tuple[Metric, ...]
    notes: tuple[str, ...] = ()


def parse_metrics(
    wanted: str | Metric | Iterable[str | Metric], threshold: float | None = None
) -> tuple[Metric, ...]:
    """Return the metrics that the caller wrote, as specs or as values; a text may list specs, separated by commas.

    Raises:
        UsageError: an unknown name, a bad option, or something that is not a metric.
    """
    if isinstance(wanted, str | Metric):
        wanted = (wanted,)
    return tuple(
        metric if own or threshold is None else replace(metric, threshold=threshold)
        for metric, own in _with_own_thresholds(wanted)
    )


def _with_own_thresholds(wanted: Iterable[str | Metric]) -> Iterator[tuple[Metric, bool]]:
    """Yield each metric, and whether it sets its threshold."""
    for item in wanted:
        if isinstance(item, str):
            yield from ((parse(spec), "threshold" in spec) for spec in split_specs(item))
        else:
            metric = _require_metric(item)
            yield metric, "threshold" in metric.spec


def preset_metrics(name: str, threshold: float | None = None) -> tuple[Metric, ...]:
    """Return the metrics of one preset, or of several separated by commas; each metric once.

    Raises:
        UnknownName: there is no such preset.
    """
    names = preset_names(name)
    for preset in names:
        if preset not in PRESETS:
            raise UnknownName("preset", preset, PRESETS)
    metrics = (parse(spec) for preset in names for spec in PRESETS[preset])
    if threshold is not None:
        metrics = (replace(metric, threshold=threshold) for metric in metrics)
    return tuple(dict.fromkeys(metrics))


def preset_names(names: str) -> list[str]:
    """Return the names in a comma-separated list."""
    return [name.strip() for name in names.split(",")]


def measurable_metrics(
    metrics: Sequence[Metric], optional: Sequence[Metric], cases: Iterable[TestCase], on_missing: OnMissing
) -> MetricSelection:
    """Return the metrics whose fields some test case has, before any judge is asked.

    Args:
        metrics: the metrics that the caller named: some test case must have the fields of each.
        optional: the metrics of a preset: those whose fields no test case has are left out, with a note.
        cases: the dataset; read no further than needed.
        on_missing: `raise` requires that every test case has the fields of every metric.

    Raises:
        MissingField: no test case has the fields of a named metric, or, with `raise`, some test case lacks a field.
    """
    selected = (*metrics, *optional)
    pending: dict[Metric, set[str]] = {metric: set() for metric in selected}
    count, first = 0, None
    for count, case in enumerate(cases, 1):
        first = first or case
        _remove_measurable(pending, case, count, strictly=on_missing == "raise")
        if not pending and on_missing != "raise":
            return MetricSelection(selected)
    if on_missing == "raise" or count == 0:
        return MetricSelection(selected)
    for metric in metrics:
        if metric in pending:
            hint = suggest_columns(first, sorted(pending[metric])) if first else ""
            raise MissingField(
                metric.full_title, f"any of the {count} test cases", sorted(pending[metric]), hint
            )
    notes = tuple(
        f"{metric.full_title} is left out: it needs {' and '.join(sorted(pending[metric]))}, which no test case "
        "provides." + (suggest_columns(first, sorted(pending[metric])) if first else "")
        for metric in optional
        if metric in pending
    )
    return MetricSelection(tuple(metric for metric in selected if metric not in pending), notes)


def _remove_measurable(
    pending: dict[Metric, set[str]], case: TestCase, number: int, *, strictly: bool
) -> None:
    """Remove the metrics whose fields `case` has; record the missing fields of the others."""
    for metric in list(pending):
        missing = metric.missing(case)
        if missing and strictly:
            raise MissingField(metric.full_title, f"test case {number} ({case.name or case.id})", missing)
        if missing:
            pending[metric].update(missing)
        elif not strictly:
            del pending[metric]


def _require_metric(item: object) -> Metric:
    if isinstance(item, Metric):
        return item
    hint = f"{item.__name__}()" if isinstance(item, type) else "Faithfulness() or 'faithfulness'"
    raise BadOption(f"{item!r} is not a metric: write {hint}")
