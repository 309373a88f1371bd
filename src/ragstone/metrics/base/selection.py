"""Which metrics are to be measured: what the caller wrote, and what the dataset can feed."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ragstone.case import TestCase
from ragstone.errors import BadOption, MissingField, UnknownName
from ragstone.metrics.base.catalog import PRESETS
from ragstone.metrics.base.metric import Metric
from ragstone.metrics.base.parse import parse
from ragstone.run import OnMissing


class MetricSelection(NamedTuple):
    """Metrics to measure, and notes on those that were left out."""

    metrics: tuple[Metric, ...]
    notes: tuple[str, ...] = ()


def parse_metrics(wanted: str | Metric | Iterable[str | Metric]) -> tuple[Metric, ...]:
    """Return the metrics that the caller wrote, as specs or as values.

    Raises:
        UsageError: an unknown name, a bad option, or something that is no metric.
    """
    if isinstance(wanted, str | Metric):
        wanted = (wanted,)
    return tuple(parse(item) if isinstance(item, str) else _require_metric(item) for item in wanted)


def preset_metrics(name: str) -> tuple[Metric, ...]:
    """Return the metrics of a preset, or of several with commas between them; each metric once.

    Raises:
        UnknownName: there is no such preset.
    """
    names = preset_names(name)
    for one in names:
        if one not in PRESETS:
            raise UnknownName("preset", one, PRESETS)
    return tuple(dict.fromkeys(parse(spec) for one in names for spec in PRESETS[one]))


def preset_names(names: str) -> list[str]:
    """Return the names that stand with commas between them."""
    return [name.strip() for name in names.split(",")]


def measurable_metrics(
    metrics: Sequence[Metric], optional: Sequence[Metric], cases: Iterable[TestCase], on_missing: OnMissing
) -> MetricSelection:
    """Return the metrics that some test case can feed, before any judge is asked.

    Args:
        metrics: what the caller asked for by name: each must be fed by some test case.
        optional: the metrics of a preset: those that no test case can feed are left out, with a note.
        cases: the dataset; read no further than needed.
        on_missing: `raise` demands that every test case feeds every metric.

    Raises:
        MissingField: a metric that was asked for is fed by no test case, or, with `raise`, not by all.
    """
    wanted = (*metrics, *optional)
    unfed: dict[Metric, set[str]] = {metric: set() for metric in wanted}
    count = 0
    for count, case in enumerate(cases, 1):
        _remove_measurable(unfed, case, count, strictly=on_missing == "raise")
        if not unfed and on_missing != "raise":
            return MetricSelection(wanted)
    if on_missing == "raise" or count == 0:
        return MetricSelection(wanted)
    for metric in metrics:
        if metric in unfed:
            raise MissingField(metric.title, f"any of the {count} test cases", sorted(unfed[metric]))
    notes = tuple(
        f"{metric.title} is left out: it needs {' and '.join(sorted(unfed[metric]))}, and no test case feeds it."
        for metric in optional
        if metric in unfed
    )
    return MetricSelection(tuple(metric for metric in wanted if metric not in unfed), notes)


def _remove_measurable(unfed: dict[Metric, set[str]], case: TestCase, number: int, *, strictly: bool) -> None:
    """Remove the metrics that `case` feeds; note what it lacks for the others."""
    for metric in list(unfed):
        missing = case.missing(metric.fields_needed)
        if missing and strictly:
            raise MissingField(metric.title, f"test case {number} ({case.name or case.id})", missing)
        if missing:
            unfed[metric].update(missing)
        elif not strictly:
            del unfed[metric]


def _require_metric(item: object) -> Metric:
    if isinstance(item, Metric):
        return item
    hint = f"{item.__name__}()" if isinstance(item, type) else "Faithfulness() or 'faithfulness'"
    raise BadOption(f"{item!r} is no metric: write {hint}")
