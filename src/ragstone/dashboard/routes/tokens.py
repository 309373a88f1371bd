"""Tokens of machines: made by name, shown once, revoked; and what each role may do."""

from typing import Annotated

from fastapi import APIRouter, Form, Path, Request
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard.context import ContextDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.routes.offers import Responses
from ragstone.dashboard.schemas.access import NewToken, TokenIn, TokenOut
from ragstone.dashboard.security.permissions import PERMISSIONS, ROLES
from ragstone.dashboard.security.trail import TrailDep
from ragstone.errors import UsageError
from ragstone.store.read.audit_log import Role

router = APIRouter()
Name = Annotated[str, Path(min_length=1, max_length=80)]
_REFUSED: Responses = {400: {"description": "the name is not valid, or was used before"}}
_UNKNOWN: Responses = {404: {"description": "there is no such token"}}
_SEE_OTHER = 303


@router.get("/tokens", include_in_schema=False)
def page(request: Request, ctx: ContextDep) -> Response:
    """Show the tokens, and what each role may do."""
    return _page(request, ctx)


@router.post("/tokens", include_in_schema=False)
def make_here(  # noqa: PLR0917  (the fields of the form)
    request: Request,
    ctx: ContextDep,
    trail: TrailDep,
    name: Annotated[str, Form(max_length=80)],
    role: Annotated[Role, Form()],
    days: Annotated[int | None, Form(ge=1, le=36_500)] = None,
) -> Response:
    """Make a token, and show its secret once."""
    try:
        made = make(TokenIn.model_construct(name=name, role=role, days=days), ctx, trail)
    except UsageError as error:
        return _page(request, ctx, wrong=str(error))
    return _page(request, ctx, made=made)


@router.post("/tokens/{name}/revoke", include_in_schema=False)
def revoke_here(name: Name, ctx: ContextDep, trail: TrailDep) -> Response:
    """Revoke a token, and show the others."""
    revoke(name, ctx, trail)
    return RedirectResponse("/tokens", _SEE_OTHER)


@router.get("/api/tokens", tags=["access"])
def tokens(ctx: ContextDep) -> list[TokenOut]:
    """Return the tokens without their secrets, also revoked ones, the latest first."""
    return [TokenOut.model_validate(token.plain()) for token in ctx.store.tokens.all()]


@router.post("/api/tokens", tags=["access"], status_code=201, responses=_REFUSED)
def make(wanted: TokenIn, ctx: ContextDep, trail: TrailDep) -> NewToken:
    """Make a token. Its secret is in this response alone: the store has its hash."""
    entry = trail.entry(wanted.name, f"role {wanted.role}" + (f", {wanted.days} days" if wanted.days else ""))
    return NewToken(
        name=wanted.name, token=ctx.store.tokens.make(wanted.name, wanted.role, entry, wanted.days)
    )


@router.delete("/api/tokens/{name}", tags=["access"], status_code=204, responses=_UNKNOWN)
def revoke(name: Name, ctx: ContextDep, trail: TrailDep) -> None:
    """Revoke a token for good: from now on it is refused."""
    ctx.store.tokens.revoke(name, trail.entry(name))


def _page(request: Request, ctx: ContextDep, made: NewToken | None = None, wrong: str = "") -> Response:
    return view(
        request,
        "tokens.html",
        400 if wrong else 200,
        tokens=ctx.store.tokens.all(),
        made=made,
        wrong=wrong,
        roles=ROLES,
        permissions=PERMISSIONS.values(),
    )
