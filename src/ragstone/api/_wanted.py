"""The metrics that a call asks for: those that are named, and those of a preset."""

from collections.abc import Iterable, Sequence

from ragstone.metrics import Metric
from ragstone.metrics._choice import preset_metrics, read_metrics

DEFAULT_PRESET = "rag"


def wanted(
    metrics: str | Metric | Iterable[str | Metric], preset: str | Sequence[Metric] | None
) -> tuple[tuple[Metric, ...], tuple[Metric, ...]]:
    """Return the metrics that were asked for by name, and those of the preset."""
    asked_for = read_metrics(metrics)
    if preset is None and not asked_for:
        preset = DEFAULT_PRESET
    optional = preset_metrics(preset) if isinstance(preset, str) else tuple(preset or ())
    return asked_for, tuple(metric for metric in optional if metric not in asked_for)
