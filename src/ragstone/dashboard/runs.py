"""All runs, the latest first: is the last one good enough, and better than those before?"""

from fastapi import APIRouter, Request
from starlette.responses import Response

from ragstone.dashboard._board import BoardOf
from ragstone.dashboard._views import view

router = APIRouter()


@router.get("/", include_in_schema=False)
def page(request: Request, board: BoardOf) -> Response:
    """Show the list."""
    return view(request, "runs.html", runs=board.store.runs(50), where=board.store.where)
