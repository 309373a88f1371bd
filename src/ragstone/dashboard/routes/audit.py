"""The audit log: who changed what."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from ragstone.dashboard.context import ContextDep
from ragstone.dashboard.rendering import view
from ragstone.dashboard.schemas.access import AuditLineOut, AuditPageOut
from ragstone.dashboard.security.permissions import PERMISSIONS
from ragstone.store.read.audit_log import AuditQuery

router = APIRouter()
_SIZE = 50
Text = Annotated[str, Field(default="", max_length=500)]


class AuditFilter(BaseModel):
    """Filter of the audit log; empty fields match every line.

    Attributes:
        name: name of the person, token or account.
        action: what was done.
        subject: id of the run, name of the token.
        page: which page, from 1.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

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


@router.get("/audit", include_in_schema=False)
def page(request: Request, ctx: ContextDep, audit_filter: AuditFilterDep) -> Response:
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
