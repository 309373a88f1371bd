"""What a run may be made of: metrics with what they mean, their groups, judges. For scripts; `evaluate` shows it."""

from typing import Any, cast

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from ragstone.dashboard import _offers
from ragstone.dashboard._board import BoardOf
from ragstone.metrics import Metric, _description
from ragstone.metrics._spec import find_metric

router = APIRouter(prefix="/api", tags=["offers"])
Told = dict[int | str, dict[str, Any]]
REFUSED: Told = {400: {"description": "something is asked for that is not on offer"}}


class MetricOption(BaseModel):
    """An option of a metric, with its default as it is written."""

    model_config = ConfigDict(frozen=True)

    name: str
    default: str
    meaning: str


class OfferedMetric(BaseModel):
    """A metric that may be measured.

    Attributes:
        name: its spec without options.
        title: its name for people.
        asks: in one sentence what it asks of a test case.
        needs: the fields that a test case must have.
        calls: judge calls a test case.
        better: which way is good.
        threshold: the score that passes unless it is said otherwise.
        options: with defaults and meanings.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    title: str
    asks: str
    needs: str
    calls: str
    better: str
    threshold: float
    options: list[MetricOption]


class Preset(BaseModel):
    """A group of metrics."""

    model_config = ConfigDict(frozen=True)

    name: str
    metrics: list[str]


@router.get("/metrics")
def metrics() -> list[OfferedMetric]:
    """Return the metrics that may be measured, by name."""
    return [_offered(find_metric(name)) for name in _offers.offered_metrics()]


@router.get("/presets")
def presets(board: BoardOf) -> list[Preset]:
    """Return the groups of metrics."""
    found = _offers.presets(board.settings)
    return [Preset(name=name, metrics=[*members]) for name, members in found.items()]


@router.get("/judges")
def judges(board: BoardOf) -> list[_offers.OfferedJudge]:
    """Return the judges that this server can ask, the configured one first. Keys are never told."""
    return _offers.judges(board.settings)


def _offered(metric: type[Metric]) -> OfferedMetric:
    return OfferedMetric(
        name=_description.name(metric),
        title=metric.__name__,
        asks=_description.asks(metric),
        needs=_description.needs(metric),
        calls=_description.calls(metric),
        better=_description.better(metric),
        threshold=cast("float", getattr(metric, "threshold", 0.5)),
        options=[MetricOption(**option._asdict()) for option in _description.options(metric)],
    )
