"""API of what a run can use: metrics, presets, judges, uploaded datasets."""

from typing import Annotated, Any, cast

from fastapi import APIRouter, File, Form, UploadFile
from pydantic import BaseModel

from ragstone.dashboard.context import ContextDep
from ragstone.dashboard.security.access import TrailDep
from ragstone.dashboard.services import catalogue
from ragstone.dashboard.services.uploads import Upload
from ragstone.datasets.mapping import parse_columns
from ragstone.metrics.base import documentation
from ragstone.metrics.base.outside import offered_metrics
from ragstone.metrics.base.parse import find_metric

router = APIRouter(prefix="/api", tags=["offers"])
Responses = dict[int | str, dict[str, Any]]
REFUSED: Responses = {400: {"description": "the request names something that is not available"}}


class MetricOption(BaseModel, frozen=True):
    """An option of a metric, with its default as it is written."""

    name: str
    default: str
    meaning: str


class MetricOffer(BaseModel, frozen=True):
    """A metric that may be measured.

    Attributes:
        name: its spec without options.
        asks: in one sentence what it asks of a test case.
        needs: the fields that a test case must have.
        calls: judge calls a test case.
        threshold: the score that passes by default; null where results neither pass nor miss.
    """

    name: str
    title: str
    asks: str
    needs: str
    calls: str
    better: str
    threshold: float | None
    options: list[MetricOption]


class Preset(BaseModel, frozen=True):
    """A group of metrics."""

    name: str
    metrics: list[str]


@router.get("/metrics")
def metrics() -> list[MetricOffer]:
    """Return the metrics that may be measured, by name."""
    return [
        MetricOffer(
            name=name,
            title=metric.__name__,
            asks=documentation.asks(metric),
            needs=documentation.needs(metric),
            calls=documentation.calls(metric),
            better=documentation.direction(metric),
            threshold=cast("float | None", getattr(metric, "threshold", 0.5)),
            options=[MetricOption(**option._asdict()) for option in documentation.options(metric)],
        )
        for name, metric in ((name, find_metric(name)) for name in offered_metrics())
    ]


@router.get("/presets")
def presets(ctx: ContextDep) -> list[Preset]:
    """Return the groups of metrics."""
    groups = catalogue.presets(ctx.settings)
    return [Preset(name=name, metrics=[*members]) for name, members in groups.items()]


@router.get("/judges")
def judges(ctx: ContextDep) -> list[catalogue.JudgeOffer]:
    """Return the judges that this server can ask, the configured one first. Keys are never included."""
    return catalogue.judges(ctx.settings)


@router.post(
    "/datasets",
    tags=["datasets"],
    status_code=201,
    responses={400: {"description": "no test case can be read from the file"}},
)
def send(
    ctx: ContextDep,
    trail: TrailDep,
    file: Annotated[UploadFile, File(description="JSONL, JSON, CSV or Parquet, optionally gzipped")],
    columns: Annotated[
        str,
        Form(alias="map", max_length=4_000, description="Columns with names of their own: field=column,…"),
    ] = "",
) -> Upload:
    """Store a dataset and return its id. The same content gets the same id again."""
    upload = ctx.uploads.keep(file.file, file.filename or "", parse_columns([columns]))
    trail.note(upload.id, upload.name)
    return upload


@router.get("/datasets", tags=["datasets"])
def sent(ctx: ContextDep) -> list[Upload]:
    """Return the uploaded datasets, the latest first."""
    return ctx.uploads.list()
