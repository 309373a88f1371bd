"""One test case: its answer with every claim coloured by its verdict, the passages those rest on, and what was asked."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from starlette.responses import Response

from ragstone.dashboard._board import BoardOf
from ragstone.dashboard._case_sheet import sheet
from ragstone.dashboard._views import view

router = APIRouter()

_OWN = {"by", "whole"}


@router.get("/runs/{run}/cases/{index}", include_in_schema=False)
def page(
    request: Request,
    board: BoardOf,
    run: str,
    index: int,
    by: str = "",
    whole: Annotated[list[str] | None, Query()] = None,
) -> Response:
    """Show a test case."""
    stored = board.store.find(run)
    kept = {name: value for name, value in request.query_params.multi_items() if name not in _OWN}
    case, results = board.store.cases(stored)[index], board.store.results(stored)[index]
    return view(
        request,
        "case.html",
        run=stored.run,
        name=stored.run.plan.name or stored.run.id,
        number=index + 1,
        back=f"/runs/{stored.run.id}",
        previous=None,
        next=None,
        position="",
        **sheet(case, results, by=by, whole=whole or (), kept=kept),
    )
