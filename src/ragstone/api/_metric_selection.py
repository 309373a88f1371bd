"""The metrics that a call asks for: those that are named, and those of a preset."""

from collections.abc import Iterable, Sequence

from ragstone.metrics import Metric
from ragstone.metrics.base.selection import parse_metrics, preset_metrics

DEFAULT_PRESET = "rag"


def select_metrics(
    metrics: str | Metric | Iterable[str | Metric], preset: str | Sequence[Metric] | None
) -> tuple[tuple[Metric, ...], tuple[Metric, ...]]:
    """Return the metrics that were asked for by name, and those of the preset."""
    requested = parse_metrics(metrics)
    if preset is None and not requested:
        preset = DEFAULT_PRESET
    optional = preset_metrics(preset) if isinstance(preset, str) else tuple(preset or ())
    return requested, tuple(metric for metric in optional if metric not in requested)
