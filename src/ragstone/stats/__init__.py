"""Numbers one can trust: intervals, comparison of runs, agreement with people, calibration of judges.

Pure functions on numbers; no file here knows a metric, a judge or a run. The names below are loaded on first
use, so that importing ragstone does not pay for numpy. Which interval is used where, and what it covers in
simulations, is told in docs/explanation/statistics.md.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragstone.stats.compare import Comparison, PassChange, compare_runs, correct
    from ragstone.stats.interval import Interval, clustered_rate_interval, mean_interval, rate_interval
    from ragstone.stats.summary import Summary, summarise

_HOMES = {
    "Comparison": "compare",
    "Interval": "interval",
    "PassChange": "compare",
    "Summary": "summary",
    "clustered_rate_interval": "interval",
    "compare_runs": "compare",
    "correct": "compare",
    "mean_interval": "interval",
    "rate_interval": "interval",
    "summarise": "summary",
}

__all__ = [
    "Comparison",
    "Interval",
    "PassChange",
    "Summary",
    "clustered_rate_interval",
    "compare_runs",
    "correct",
    "mean_interval",
    "rate_interval",
    "summarise",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module hands out values of any type
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
