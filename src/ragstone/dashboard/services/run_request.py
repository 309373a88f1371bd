"""The request to start or resume a run, from a script or from the form of the page *Evaluate*, and its arguments.

The test cases of a form are stored as an upload.
"""

import json
from contextlib import suppress
from io import BytesIO
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, Field, ValidationError, create_model
from starlette.datastructures import FormData, UploadFile

from ragstone.dashboard.context import AppContext
from ragstone.dashboard.services import catalogue
from ragstone.datasets.load import DEMO
from ragstone.datasets.mapping import MappedDataset
from ragstone.errors import BadOption, UnknownName
from ragstone.options import Limits, Pace, form_fields, form_options
from ragstone.run import Run

Tag = Annotated[str, Field(min_length=1, max_length=100)]
Spec = Annotated[str, Field(min_length=1, max_length=4000, examples=["faithfulness(threshold=0.8)"])]

_TEXT_FIELDS = ("input", "actual_output", "expected_output")
_COLUMN_PREFIX = "column."

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


def read_run_request(form: FormData, ctx: AppContext) -> RunRequest:
    """Return the run request of a form, and store its dataset.

    Raises:
        UsageError: a field is missing or invalid.
    """
    judge, model = _text(form, "judge"), _text(form, "model")
    fields: dict[str, Any] = {
        "dataset": dataset_id(form, ctx),
        "metrics": _metrics(form),
        "preset": _text(form, "preset"),
        "app": _text(form, "app"),
        "judge": f"{judge}:{model}" if judge and model else judge,
        "name": _text(form, "name") or _default_name(form),
        "tags": (_text(form, "tags") or "").replace(",", " ").split(),
        **{name: _number(value) for name in form_options() if (value := _text(form, name)) is not None},
    }
    if not fields["metrics"] and fields["preset"] is None:
        raise BadOption("No metric is chosen: choose a group, or metrics.")
    try:
        return RunRequest.model_validate(fields)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        raise BadOption(
            f"{'.'.join(map(str, problem['loc']))} is {str(problem['input'])[:60]!r}: {problem['msg']}."
        ) from None


def _text(form: FormData, name: str) -> str | None:
    value = form.get(name)
    return value.strip() or None if isinstance(value, str) else None


def _number(text: str) -> float | str:
    """Return the number that a field contains; a text that is none as it is, for the message that refuses it."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def _metrics(form: FormData) -> list[str]:
    """Return the specs of the metrics that are ticked, with their thresholds, and of those that are written out."""
    specs: list[str] = []
    for name in form.getlist("metric"):
        threshold = _text(form, f"threshold.{name}")
        specs.append(f"{name}" if threshold is None else f"{name}(threshold={threshold})")
    written = (line.strip() for line in (_text(form, "specs") or "").splitlines())
    return [*specs, *filter(None, written)]


def dataset_id(form: FormData, ctx: AppContext) -> str:
    """Return the id of the dataset that a form names or contains; one that it contains is stored.

    Raises:
        UsageError: there is none, or it cannot be read.
    """
    source, columns = _text(form, "source") or DEMO, chosen_columns(form)
    if source == "earlier":
        return _mapped(_text(form, "earlier") or "", columns, ctx)
    if source == "upload":
        file = form.get("file")
        if not isinstance(file, UploadFile) or not file.filename:
            raise BadOption("No file is chosen: choose a JSONL, JSON, CSV or Parquet file.")
        return ctx.uploads.keep(file.file, file.filename, columns).id
    if source == "paste":
        content = (_text(form, "paste") or "").encode("utf-8", "replace")
        if not content:
            raise BadOption(
                'Nothing is pasted: paste one test case per line, such as {"input": "…", "actual_output": "…"}.'
            )
        suffix = "" if content[:1] in b"[{" else ".csv"
        return ctx.uploads.keep(BytesIO(content), f"pasted{suffix}", columns).id
    if source == "case":
        return ctx.uploads.keep(BytesIO(json.dumps(_case(form)).encode()), "one case.jsonl", {}).id
    return DEMO


def chosen_columns(form: FormData) -> dict[str, str]:
    """Return the columns that were chosen for fields of the test case; the others are read by their names."""
    chosen = {
        name.removeprefix(_COLUMN_PREFIX): _text(form, name)
        for name in form
        if name.startswith(_COLUMN_PREFIX)
    }
    return {field: column for field, column in chosen.items() if column is not None}


def _mapped(dataset: str, columns: dict[str, str], ctx: AppContext) -> str:
    """Return the id of a stored dataset, read from other columns if some are named."""
    uploads = ctx.uploads
    path = uploads.find(dataset)
    if not columns or path is None:
        return dataset
    name = next((upload.name for upload in uploads.list() if upload.id == dataset), path.name)
    with path.open("rb") as file:
        return uploads.keep(file, name, columns).id


def _case(form: FormData) -> dict[str, Any]:
    """Return the one test case of the form; blank lines separate passages."""
    case: dict[str, Any] = {name: text for name in _TEXT_FIELDS if (text := _text(form, name)) is not None}
    if "input" not in case:
        raise BadOption("The question is empty: write what the user asked.")
    parts = (_text(form, "retrieval_context") or "").replace("\r\n", "\n").split("\n\n")
    passages = [part.strip() for part in parts if part.strip()]
    return {**case, "retrieval_context": passages} if passages else case


def _default_name(form: FormData) -> str | None:
    file, source = form.get("file"), _text(form, "source")
    if source == "upload" and isinstance(file, UploadFile) and file.filename:
        return file.filename.replace("\\", "/").rsplit("/", 1)[-1][:120]
    if source == "case":
        return " ".join((_text(form, "input") or "").split())[:80] or None
    return {"paste": "pasted cases", DEMO: "demo"}.get(source or DEMO)
