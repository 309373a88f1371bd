"""Request and response models of tokens and of the audit log."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from ragstone.store.read.audit_log import ActorKind, Role
from ragstone.store.read.tokens import TokenState


class TokenIn(BaseModel):
    """A token to make.

    Attributes:
        name: 1 to 80 letters, digits and `. _ @ -`; no name is used twice.
        role: what its holder may do.
        days: after how many days it expires; null: never.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1, max_length=80)
    role: Role
    days: int | None = Field(None, ge=1, le=36_500)


class TokenOut(BaseModel):
    """A token, without its secret.

    Attributes:
        name: its name.
        role: what its holder may do.
        state: whether it is accepted now.
        created: when it was made, UTC.
        created_by: who made it.
        expires: when it expires, UTC; null: never.
        revoked: when it was revoked, UTC; null: it was not.
        revoked_by: who revoked it.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    role: Role
    state: TokenState
    created: datetime
    created_by: str
    expires: datetime | None
    revoked: datetime | None
    revoked_by: str


class NewToken(BaseModel):
    """A token that was made.

    Attributes:
        name: its name.
        token: its secret, which is not stored and cannot be shown again.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    token: str


class AuditLineOut(BaseModel):
    """A line of the audit log.

    Attributes:
        number: its number; later lines have larger ones.
        at: when, UTC.
        kind: `person` (named by a trusted proxy), `token`, `page` (without a verified name) or `command`.
        name: name of the person, the token or the account.
        role: what they may do.
        address: IP address that the request came from.
        action: what was done, such as `delete`.
        subject: to what: the id of a run, the name of a token.
        detail: more about it.
    """

    model_config = ConfigDict(frozen=True)

    number: int
    at: datetime
    kind: ActorKind
    name: str
    role: Role
    address: str
    action: str
    subject: str
    detail: str


class AuditPageOut(BaseModel):
    """A page of the audit log.

    Attributes:
        count: how many lines match on all pages.
        lines: those of this page, the latest first.
    """

    model_config = ConfigDict(frozen=True)

    count: int
    lines: list[AuditLineOut]
