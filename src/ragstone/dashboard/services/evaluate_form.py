"""Read the form of the page *Evaluate* into a run request; its test cases are stored as an upload."""

import json
from contextlib import suppress
from io import BytesIO
from typing import Any

from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile

from ragstone.dashboard.context import AppContext
from ragstone.dashboard.services.run_request import RunRequest
from ragstone.datasets.load import DEMO
from ragstone.errors import BadOption
from ragstone.options import form_options

_TEXT_FIELDS = ("input", "actual_output", "expected_output")
_COLUMN_PREFIX = "column."


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
