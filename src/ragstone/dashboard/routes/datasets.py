"""Datasets that were sent here. For scripts; the pages send them with the form of `evaluate`."""

from typing import Annotated

from fastapi import APIRouter, File, UploadFile

from ragstone.dashboard.context import ContextDep
from ragstone.dashboard.services.uploads import Upload, Uploads

router = APIRouter(prefix="/api", tags=["datasets"])


@router.post(
    "/datasets", status_code=201, responses={400: {"description": "no test case can be read from it"}}
)
def send(
    ctx: ContextDep, file: Annotated[UploadFile, File(description="JSONL, JSON, CSV or Parquet, gzip or not")]
) -> Upload:
    """Keep a dataset and return the id by which it is evaluated. What was sent before gets the same id."""
    return Uploads(ctx.folder).keep(file.file, file.filename or "")


@router.get("/datasets")
def sent(ctx: ContextDep) -> list[Upload]:
    """Return the datasets that were sent here, the latest first."""
    return Uploads(ctx.folder).list()
