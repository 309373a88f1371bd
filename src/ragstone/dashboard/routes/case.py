"""One test case: its answer with each claim coloured by its verdict, the passages, the exchanges with the judge."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from ragstone.case import TestCase
from ragstone.dashboard.context import AnnotatorDep, ContextDep, RunDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.routes.test_set import offer_case
from ragstone.dashboard.security.permissions import may
from ragstone.dashboard.views.case import case_view
from ragstone.dashboard.views.case_annotations import AnnotationOut, annotation_out, annotations_for
from ragstone.dashboard.views.case_filter import CaseFilterDep, case_navigation
from ragstone.dashboard.views.texts import answered, exchange_view
from ragstone.dashboard.views.verdicts import MetricVerdicts, metric_verdicts
from ragstone.result import Result
from ragstone.store import StoredExchange

router = APIRouter()

Index = Annotated[int, Path(ge=0, le=2**53, description="Place of the test case in its run, from 0.")]
_MAX_EXCHANGES = 60


class CaseDetail(BaseModel, frozen=True):
    """All data of one test case of a run.

    Attributes:
        index: its place in the run, from 0.
        previous: place of the case before it, with the same filter; None for the first. Likewise `next`.
        readings: the verdicts in its results, with what each means and the words it rests on.
        exchanges: the exchanges with the judge.
    """

    run: str
    index: int
    previous: int | None
    next: int | None
    case: TestCase
    results: list[Result]
    readings: list[MetricVerdicts]
    exchanges: list[StoredExchange]
    annotations: list[AnnotationOut]


@router.get("/runs/{run}/cases/{index}", include_in_schema=False)
def page(  # noqa: PLR0917  (as the address has them)
    request: Request,
    ctx: ContextDep,
    person: AnnotatorDep,
    case_filter: CaseFilterDep,
    stored: RunDep,
    index: Index,
    by: Annotated[str, Query(max_length=4000)] = "",
    whole: Annotated[list[str] | None, Query()] = None,
) -> Response:
    """Show a test case."""
    found = ctx.case(stored, index)
    navigation = case_navigation(request, ctx.store, stored, index, case_filter)
    return view(
        request,
        "case.html",
        run=stored.run,
        name=stored.run.plan.name or stored.run.id,
        index=index,
        number=index + 1,
        case_navigation=navigation,
        here=f"/runs/{stored.run.id}/cases/{index}",
        exchanges=[exchange_view(exchange) for exchange in found.exchanges[:_MAX_EXCHANGES]],
        more_exchanges=max(0, len(found.exchanges) - _MAX_EXCHANGES),
        yours=annotations_for(found, person, annotates=may(request.state.actor.role, "annotate")),
        offer=offer_case(ctx, stored.run.id, index, found.case),
        added=None,
        **case_view(found.case, list(found.results.values()), by=by, whole=whole or (), kept=navigation.kept),
    )


@router.get("/runs/{run}/cases/{index}/exchanges/{place}", include_in_schema=False)
def exchange_page(  # noqa: PLR0917  (as the address has them)
    request: Request, ctx: ContextDep, stored: RunDep, index: Index, place: Index, whole: str = ""
) -> Response:
    """Show one exchange with the judge, as a page or as a fragment of its case's page."""
    exchanges = ctx.case(stored, index).exchanges
    if place >= len(exchanges):
        raise HTTPException(
            404, f"Case {index + 1} has {len(exchanges)} exchanges with the judge, not {place + 1}."
        )
    here = f"/runs/{stored.run.id}/cases/{index}"
    return view(
        request,
        "exchange.html",
        one=exchange_view(exchanges[place], whole=bool(whole)),
        bare="hx-request" in request.headers,
        place=place,
        here=here,
        back=here,
        number=index + 1,
    )


@router.get("/api/runs/{run}/cases/{index}", tags=["runs"])
def detail(
    request: Request, ctx: ContextDep, case_filter: CaseFilterDep, stored: RunDep, index: Index
) -> CaseDetail:
    """Return all data of one test case; the filter of the table works as on its page."""
    found = ctx.case(stored, index)
    navigation = case_navigation(request, ctx.store, stored, index, case_filter)
    results = list(found.results.values())
    return CaseDetail(
        run=stored.run.id,
        index=index,
        previous=navigation.previous.number - 1 if navigation.previous else None,
        next=navigation.next.number - 1 if navigation.next else None,
        case=found.case,
        results=results,
        readings=metric_verdicts(found.case, results),
        exchanges=[replace(item, response=answered(item)) for item in found.exchanges],
        annotations=[annotation_out(item) for item in found.annotations],
    )
