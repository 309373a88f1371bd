"""Who makes a request: a person whom a proxy names, a named token, or whoever has the page's own token."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self, TypeVar
from urllib.parse import unquote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from ragstone.dashboard.security.credentials import Credentials, bearer_token
from ragstone.dashboard.security.refused import Refused
from ragstone.errors import UsageError
from ragstone.store.read.audit_log import Actor, AuditLog
from ragstone.store.read.tokens import PREFIX, AccessToken, AccessTokens
from ragstone.store.schema.connect import DATABASE_ERRORS

ANNOTATOR_COOKIE = "ragstone_annotator"
"""Cookie with the name that somebody gave as annotator. No login: it only keeps several people's verdicts apart."""

LONGEST_NAME = 80
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Access:
    """What requests must present, and what is kept of them.

    Attributes:
        credentials: the page's own token, and the header of the proxies that are trusted.
        find_token: returns the token of a secret; see `AccessTokens.find`.
        add_entries: adds lines to the audit log; see `AuditLog.add`.
    """

    credentials: Credentials
    find_token: Callable[[str], AccessToken | None]
    add_entries: Callable[..., None]

    @classmethod
    def to(cls, credentials: Credentials, tokens: AccessTokens, audit_log: AuditLog) -> Self:
        """Return the access to a store."""
        return cls(credentials, tokens.find, audit_log.add)

    async def actor(self, address: str, headers: Headers) -> Actor:
        """Return who makes a request.

        Raises:
            Refused: it presents nothing that gives access, or something that is not valid.
        """
        credentials, secret = self.credentials, bearer_token(headers)
        person = credentials.trusted.person(address, headers) if credentials.trusted else None
        if person is not None:
            return person
        if secret.startswith(PREFIX) and not credentials.matches(secret):
            token = await run_in_threadpool(_from_database, lambda: self.find_token(secret))
            return _accepted(token, address)
        if not credentials.admits(headers):
            problem = "The token is wrong. " if secret else ""
            raise Refused(
                401,
                f"{problem}This request needs the token that `ragstone serve` printed, or one of `ragstone token`, "
                "as Authorization: Bearer TOKEN.",
            )
        return Actor("page", claimed_name(headers), "owner", address)


def clean_name(text: str) -> str:
    """Return an annotator's name on one line, and not too long."""
    return " ".join(text.split())[:LONGEST_NAME].strip()


def claimed_name(headers: Headers) -> str:
    """Return the annotator's name from the cookie, which nobody verified; empty without one."""
    return clean_name(unquote(cookie_parser(headers.get("cookie", "")).get(ANNOTATOR_COOKIE, "")))


def _accepted(token: AccessToken | None, address: str) -> Actor:
    if token is None:
        raise Refused(401, "The token is wrong: there is none like it in this store.")
    if token.state != "valid":
        when = token.revoked or token.expires
        raise Refused(
            401,
            f"The token {token.name!r} is {token.state} since {when:%Y-%m-%d %H:%M} UTC: an owner makes another one.",
        )
    return Actor("token", token.name, token.role, address)


def _from_database(read: Callable[[], T]) -> T:
    try:
        return read()
    except (*DATABASE_ERRORS, UsageError) as error:
        raise Refused(503, "Tokens cannot be checked now: the store does not answer. Retry later.") from error
