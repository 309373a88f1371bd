"""What the pages show as files: a run, a part of its test cases, a comparison of two runs."""

import re
from dataclasses import replace
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, PlainTextResponse, Response

from ragstone.dashboard.context import ContextDep, RunDep
from ragstone.dashboard.routes.offers import REFUSED
from ragstone.dashboard.routes.results import UNKNOWN
from ragstone.dashboard.services.comparison import name_of
from ragstone.dashboard.views.case_filter import CaseFilter, CaseFilterDep, other_run
from ragstone.errors import BadOption
from ragstone.findings import Report, registry
from ragstone.findings.comparison import compare
from ragstone.findings.stored import report_from_store, report_with_baseline
from ragstone.store import Store, StoredRun

router = APIRouter(prefix="/api", tags=["runs"])

_MEDIA_TYPES = {
    "html": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "md": "text/markdown; charset=utf-8",
    "xml": "application/xml",
}
ReportFormat = Annotated[
    Literal["html", "csv", "json", "jsonl", "md", "xml"], Query(alias="format", description="Of the file.")
]
ComparisonFormat = Annotated[Literal["html", "json", "md"], Query(alias="format", description="Of the file.")]
_FILE: dict[int | str, dict[str, object]] = {200: {"description": "the file", "content": {"*/*": {}}}}


@router.get("/runs/{run}/report", response_class=Response, responses={**_FILE, **UNKNOWN, **REFUSED})
def report(
    stored: RunDep, ctx: ContextDep, case_filter: CaseFilterDep, kind: ReportFormat = "html"
) -> Response:
    """Return a run as a file, as `ragstone run --output` writes it; with a filter only the test cases that match.

    A filtered file holds the test cases in the order of the list, and a note that says what was left out.
    """
    found = report_with_baseline(ctx.store, stored)
    if case_filter.filtered:
        found = _part(found, ctx.store, stored, case_filter)
    with NamedTemporaryFile(prefix="ragstone-", suffix=f".{kind}", delete=False) as file:
        path = Path(file.name)
    try:
        registry.write(found, path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return FileResponse(
        path,
        media_type=_MEDIA_TYPES[kind],
        filename=f"{_file_name(stored)}.{kind}",
        background=BackgroundTask(path.unlink, missing_ok=True),
    )


@router.get("/compare/report", response_class=Response, responses={**_FILE, **UNKNOWN, **REFUSED})
def comparison(
    ctx: ContextDep,
    run: Annotated[str, Query(max_length=300, description="Id or name of the later run.")],
    baseline: Annotated[
        str, Query(max_length=300, description="Name of a baseline, or id or name of a run.")
    ],
    kind: ComparisonFormat = "md",
) -> Response:
    """Return the comparison of a run with its baseline as a file, as `ragstone compare --output` writes it."""
    before, after = other_run(ctx.store, baseline), ctx.store.find(run)
    if before is None:
        raise BadOption("A comparison needs a baseline: name one, or a run.")
    found = compare(*(report_from_store(ctx.store, stored) for stored in (before, after)))
    text = {"md": found.to_markdown, "json": found.to_json, "html": found.to_html}[kind]()
    name = f"{_file_name(before)}-to-{_file_name(after)}.{kind}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return PlainTextResponse(text, media_type=_MEDIA_TYPES[kind], headers=headers)


def _part(found: Report, store: Store, stored: StoredRun, case_filter: CaseFilter) -> Report:
    """Return the report on the test cases that match a filter, in the order of the list."""
    indices = store.table(stored).indices(case_filter.query(store, None))
    note = f"Filtered: {len(indices):,} of {len(found.cases):,} test cases, those with {case_filter.words}."
    return replace(
        found,
        run=found.run.model_copy(update={"notes": (note, *found.run.notes)}),
        cases=store.cases(stored).at(indices),
        results=store.results(stored).at(indices),
        before=None,
    )


def _file_name(stored: StoredRun) -> str:
    """Return the name of a run as a part of a file's name: ASCII letters, digits and hyphens; else its id."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", name_of(stored.run)).strip("-.")[:60] or stored.run.id
