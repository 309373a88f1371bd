"""The request to start or resume a run, and the arguments of `evaluate` that it stands for."""

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, Field, create_model

from ragstone.dashboard.context import AppContext
from ragstone.dashboard.services import catalogue
from ragstone.datasets.load import DEMO
from ragstone.datasets.mapping import MappedDataset
from ragstone.errors import BadOption, UnknownName
from ragstone.options import Limits, Pace, form_fields, form_options
from ragstone.run import Run

Tag = Annotated[str, Field(min_length=1, max_length=100)]
Spec = Annotated[str, Field(min_length=1, max_length=4000, examples=["faithfulness(threshold=0.8)"])]


if TYPE_CHECKING:
    _RunOptions = BaseModel
else:
    _RunOptions = create_model("_RunOptions", **form_fields())


class RunRequest(_RunOptions, frozen=True, extra="forbid"):
    """A run to start: the options that `ragstone.options` offers on the page, and these. Others are as configured.

    Attributes:
        dataset: id of an uploaded dataset, or `demo`.
        metrics: specs of built-in metrics.
        preset: a group of metrics, beside those.
        judge: an offered judge, or `vendor:model` of an offered vendor.
        app: name of an application of the server's configuration, which answers the questions; without one, the
            dataset has the answers.
        name: what to call the run.
        tags: labels to find it by.
    """

    dataset: str = Field(max_length=100, examples=[DEMO])
    metrics: list[Spec] = Field(default_factory=list[str], max_length=60)
    preset: str | None = Field(default=None, max_length=100, examples=["rag"])
    judge: str | None = Field(default=None, max_length=200, examples=["local"])
    app: str | None = Field(default=None, max_length=200, examples=["helpdesk"])
    name: str | None = Field(default=None, max_length=200)
    tags: list[Tag] = Field(default_factory=list[str], max_length=20)


def evaluate_arguments(order: RunRequest, ctx: AppContext) -> tuple[str | MappedDataset, dict[str, Any]]:
    """Return the dataset and the arguments of `evaluate` for a request.

    Raises:
        UsageError: the request names something that is not on offer.
    """
    chosen = catalogue.offered_arguments(ctx.settings, order.judge, order.metrics, order.preset)
    if order.app is not None:
        if order.app not in ctx.settings.apps:
            raise UnknownName("application on offer", order.app[:100], ctx.settings.apps)
        chosen["app"] = ctx.settings.apps[order.app]
    options = {name: getattr(order, name) for name in form_options()}
    chosen |= {name: value for name, value in options.items() if value is not None}
    chosen |= {"name": order.name, "tags": order.tags}
    return data_of(order.dataset, ctx), chosen


def to_resume(run: Run, ctx: AppContext) -> tuple[str | MappedDataset, dict[str, Any]]:
    """Return the dataset and the arguments with which a run is resumed here.

    Raises:
        UsageError: the run uses something that is not on offer here.
    """
    plan = run.plan
    upload_id = ctx.uploads.known(plan.dataset)
    if upload_id is None and plan.dataset != DEMO:
        raise BadOption(
            "The dataset of this run is not stored in this server. Resume the run where the dataset is: "
            f"ragstone run {plan.dataset or 'DATASET'} --resume {run.id}"
        )
    catalogue.metrics_for([*plan.metrics], ctx.settings)
    return data_of(upload_id or DEMO, ctx), {
        **({} if plan.app is None else {"app": catalogue.app_called(plan.app, ctx.settings)}),
        "judge": catalogue.judge_called(plan.judge, ctx.settings),
        "resume": run.id,
        **{name: getattr(plan, name) for name in (*Pace.model_fields, *Limits.model_fields, "repeats")},
        **{option: getattr(ctx.settings, option) for option in ("cache", "offline")},
    }


def data_of(dataset: str, ctx: AppContext) -> str | MappedDataset:
    """Return what `evaluate` reads for the dataset of that id.

    Raises:
        UsageError: there is none.
    """
    if dataset == DEMO:
        return DEMO
    found = ctx.uploads.dataset(dataset)
    if found is None:
        known_ids = [DEMO, *(upload.id for upload in ctx.uploads.list()[:5])]
        raise UnknownName("dataset", dataset, known_ids)
    return found
