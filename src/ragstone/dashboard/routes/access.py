"""Access: tokens of machines, which are shown once; what each role may do; the audit log of who changed what."""

from datetime import datetime
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Path, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from ragstone.dashboard.context import ContextDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.routes.offers import Responses
from ragstone.dashboard.security.access import TrailDep
from ragstone.dashboard.security.permissions import PERMISSIONS, ROLES
from ragstone.errors import UsageError
from ragstone.store.read.audit_log import ActorKind, AuditQuery, Role
from ragstone.store.read.tokens import TokenState

router = APIRouter()
_SIZE = 50
Name = Annotated[str, Path(min_length=1, max_length=80)]
Text = Annotated[str, Field(default="", max_length=500)]
_REFUSED: Responses = {400: {"description": "the name is not valid, or was used before"}}
_UNKNOWN: Responses = {404: {"description": "there is no such token"}}


class TokenIn(BaseModel, frozen=True, extra="forbid"):
    """A token to make.

    Attributes:
        name: 1 to 80 letters, digits and `. _ @ -`; no name is used twice.
        days: after how many days it expires; null: never.
    """

    name: str = Field(min_length=1, max_length=80)
    role: Role
    days: int | None = Field(None, ge=1, le=36_500)


class TokenOut(BaseModel, frozen=True):
    """A token, without its secret; times are in UTC.

    Attributes:
        state: whether it is accepted now.
        expires: null: never.
        revoked: null: it was not.
    """

    name: str
    role: Role
    state: TokenState
    created: datetime
    created_by: str
    expires: datetime | None
    revoked: datetime | None
    revoked_by: str


class NewToken(BaseModel, frozen=True):
    """A token that was made; its secret is not stored and cannot be shown again."""

    name: str
    token: str


class AuditLineOut(BaseModel, frozen=True):
    """A line of the audit log.

    Attributes:
        number: its number; later lines have larger ones.
        at: when, UTC.
        kind: `person` (named by a trusted proxy), `token`, `page` (without a verified name) or `command`.
        subject: what was changed: the id of a run, the name of a token.
    """

    number: int
    at: datetime
    kind: ActorKind
    name: str
    role: Role
    address: str
    action: str
    subject: str
    detail: str


class AuditPageOut(BaseModel, frozen=True):
    """A page of the audit log, the latest line first; `count` lines match on all pages."""

    count: int
    lines: list[AuditLineOut]


class AuditFilter(BaseModel, frozen=True, extra="ignore"):
    """Filter of the audit log, and its page from 1; empty fields match every line."""

    name: Text
    action: Text
    subject: Text
    page: int = Field(default=1, ge=1, le=1_000_000)

    def query(self, size: int) -> AuditQuery:
        """Return the query of the store."""
        return AuditQuery(**self.model_dump(exclude={"page"}), limit=size, offset=(self.page - 1) * size)

    def link(self, page: int) -> str:
        """Return the query string of another page."""
        return "?" + urlencode({**self.model_dump(exclude_defaults=True), "page": page})


AuditFilterDep = Annotated[AuditFilter, Query()]


@router.get("/tokens", include_in_schema=False)
def tokens_page(request: Request, ctx: ContextDep) -> Response:
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
    return RedirectResponse("/tokens", 303)


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


@router.get("/audit", include_in_schema=False)
def audit_page(request: Request, ctx: ContextDep, audit_filter: AuditFilterDep) -> Response:
    """Show the audit log."""
    found = ctx.store.audit_log.page(audit_filter.query(_SIZE))
    return view(
        request,
        "audit.html",
        lines=found.lines,
        count=found.count,
        pages=max(1, -(-found.count // _SIZE)),
        audit_filter=audit_filter,
        actions=[name for name, permission in PERMISSIONS.items() if permission.audited],
    )


@router.get("/api/audit", tags=["access"])
def lines(
    ctx: ContextDep, audit_filter: AuditFilterDep, size: Annotated[int, Query(ge=1, le=1_000)] = 100
) -> AuditPageOut:
    """Return the lines of the audit log that match, the latest first."""
    found = ctx.store.audit_log.page(audit_filter.query(size))
    return AuditPageOut(
        count=found.count, lines=[AuditLineOut.model_validate(line.plain()) for line in found.lines]
    )
